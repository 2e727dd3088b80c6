"""Plans: which questions a campaign asks, in which boxes, and which answers follow from others."""

from satlife.campaign.plan.plan import Plan

__all__ = ["Plan"]
