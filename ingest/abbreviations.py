"""Words whose full stop does not end a sentence, by language.

Three tables because they fail differently: ``INSIDE`` never ends a sentence, ``NUMBERED`` does not
where a number follows, ``CLOSING`` may do both and is decided by the word after it.
"""


def words(text: str) -> frozenset[str]:
    """The blank-parted words of ``text``."""
    return frozenset(text.split())


INSIDE: dict[str, frozenset[str]] = {
    "en": words(
        "Dr Mr Mrs Ms Prof Rev Hon Gen Col Capt Lt Sgt Maj Cmdr Gov Sen Rep Pres St Mt Ft "
        "Messrs vs cf viz approx resp ca eg ie al Jan Feb Mar Apr Jun Jul Aug Sep Sept Oct "
        "Nov Dec"
    ),
    "de": words(
        "Dr Prof Hr Fr Frl Dipl Ing Med St Str bzw ca vgl evtl ggf inkl exkl zzgl abzgl sog "
        "bspw geb gest verh Mio Mrd Tsd jährl mtl tägl zz Hrsg hrsg ungef einschl gem lt max "
        "min Jan Feb Apr Aug Sept Okt Nov Dez Std Min Sek Tel allg insb urspr dt engl frz"
    ),
    "fr": words(
        "M MM Mme Mmes Mlle Mlles Dr Pr Me Mgr St Ste cf env éd trad janv févr avr juil sept "
        "oct nov déc tél av bd"
    ),
    "es": words(
        "Sr Sra Srta Sres Dr Dra Prof Lic Ing Arq Gral Cnel D Dña Ud Uds Vd Vds cf aprox Avda "
        "Av Sto Sta tel ej"
    ),
}
NUMBERED: dict[str, frozenset[str]] = {
    "en": words(
        "No no Nos nos Fig fig Figs figs Eq eq Eqs Sec sec Ch ch Vol vol p pp Art art Ref "
        "Refs Tab ver v App Ex Pt para"
    ),
    "de": words("Nr nr Abb abb Abs abs Art Bd Kap kap S Tab Anm Z Ziff Ziffer Lit lit Aufl"),
    "fr": words("n no fig p pp art chap vol t al tab éq sect"),
    "es": words("n no núm Núm fig Fig p pág págs pp art Art arts cap Cap vol t tab"),
}
CLOSING: dict[str, frozenset[str]] = {
    "en": words("etc Inc Ltd Co Corp Jr Sr Bros Ph.D M.D B.A M.A a.m p.m U.S U.K U.N E.U D.C"),
    "de": words("usw etc ff Co u.a o.ä u.ä s.o s.u z.T n.Chr v.Chr u.v.m"),
    "fr": words("etc Cie Ltée av.J.-C"),
    "es": words("etc Cía S.A S.L EE.UU a.C d.C"),
}
STARTERS: dict[str, frozenset[str]] = {
    "en": words(
        "The This That These Those It He She They We You A An In On At For But And If When "
        "While However As After Before There Its His Her Their Our By With From To Not No "
        "Since Although Such Both Some Many Most Other According During Under"
    ),
    "de": words(
        "Der Die Das Dem Den Des Ein Eine Einer Er Sie Es Wir Ihr Ich Im In Am An Auf Aus Bei "
        "Mit Nach Von Vor Zu Zum Zur Für Danach Dann Dort Hier Aber Und Oder Wenn Als Da "
        "Diese Dieser Dieses Damit Daher Seit Sein Seine Ihre Durch Über Unter Um Auch Nun So "
        "Man"
    ),
    "fr": words(
        "Le La Les Un Une Des Il Elle Ils Elles On Ce Cette Ces Nous Vous Je Dans En Au Aux "
        "Mais Et Si Quand Après Avant Son Sa Ses Leur Pour Par Avec Sur"
    ),
    "es": words(
        "El La Los Las Un Una Es Se Su Sus En Por Para Con Pero Y Si Cuando Este Esta Estos "
        "Estas Al Del No Como Desde Hasta Tras Según"
    ),
}
"""Words that start a sentence far more often than they follow an abbreviation."""


def abbreviation_language(language: str) -> str:
    """The language whose tables apply to ``language``: its own, else English."""
    return language if language in INSIDE else "en"
