"""The queue between recorder and workers, on NATS JetStream."""

from satlife.cluster.protocol import Control, decode_control, encode_control
from satlife.cluster.queue.broker import Access, connect, disconnect, jetstream
from satlife.cluster.queue.proofs import get_proof, put_proof, remove_proof
from satlife.cluster.queue.streams import Stores, prepare

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
    "prepare",
    "put_proof",
    "remove_proof",
]
