"""The queue between recorder and workers, on NATS JetStream.

It needs the extra ``cluster``; nats-py is imported only when it is used.
"""

from satlife.cluster.protocol import Control, decode_control, encode_control
from satlife.cluster.queue.broker import Access, connect, disconnect, jetstream, nats_module
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
    "nats_module",
    "prepare",
    "put_proof",
    "remove_proof",
]
