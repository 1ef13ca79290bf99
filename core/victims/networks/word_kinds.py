"""The kinds of networks over the words that the victims share."""

from core.victims.networks.kinds import NetworkKind
from core.victims.networks.pair_networks import DnnPair, EsimPair, InferSentPair
from core.victims.networks.shared_steps import (
    SharedEsim,
    cnn_scores,
    dnn_scores,
    infersent_scores,
    lstm_scores,
)
from core.victims.networks.single import CnnClassifier, LstmClassifier

LSTM = NetworkKind(LstmClassifier, shared_scores=lstm_scores, one_length=False)
CNN = NetworkKind(CnnClassifier, shared_scores=cnn_scores, one_length=False)
DNN = NetworkKind(DnnPair, shared_scores=dnn_scores, one_length=False)
INFERSENT = NetworkKind(InferSentPair, shared_scores=infersent_scores, one_length=False)
ESIM = NetworkKind(EsimPair, shared_scores=SharedEsim)
