"""The queue between recorder and workers: NATS JetStream, and what we say over it.

Needs the extra ``cluster``; nothing here imports nats-py before it is used.
"""

from satlife.campaign.queue.broker import Access, connect, disconnect, jetstream, nats_module
from satlife.campaign.queue.control import Control, decode_control, encode_control
from satlife.campaign.queue.proofs import get_proof, put_proof, remove_proof
from satlife.campaign.queue.streams import Stores, prepare

__all__ = [
    "Access",
    "Control",
    "Stores",
    "connect",
    "decode_control",
    "disconnect",
    "encode_control",
    "get_proof",
    "jetstream",
    "nats_module",
    "prepare",
    "put_proof",
    "remove_proof",
]
