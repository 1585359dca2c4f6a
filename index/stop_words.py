"""Words that carry no topic, by language; English is the list of 33 that Lucene's analyzer uses.

Short on purpose: a stop word is worth little in BM25 anyway, and a long list loses names ("Who").
"""

_EN = """
a an and are as at be but by for if in into is it no not of on or such that the their then there
these they this to was will with
"""
_DE = """
aber als am an auch auf aus bei bis das dass dem den der des die ein eine einem einen einer eines er
es für hat ich ihr im in ist mit nach nicht noch nur oder sich sie sind so um und von vor war was
wenn wie wir wird zu zum zur über
"""
_FR = """
au aux avec ce ces cette d dans de des du elle en est et il ils je l la le les leur lui mais ne nous
on ou par pas pour qu que qui sa se ses son sont sur un une vous à
"""
_ES = """
a al como con de del el ella en entre es esta este la las le lo los más ni no o para pero por que se
si sin sobre son su sus un una y ya
"""

STOP_WORDS: dict[str, frozenset[str]] = {
    "en": frozenset(_EN.split()),
    "de": frozenset(_DE.split()),
    "fr": frozenset(_FR.split()),
    "es": frozenset(_ES.split()),
}
"""Case-folded words by ISO 639-1 code; other languages have none."""
