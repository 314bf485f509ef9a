"""The object identifiers of CMS that message protection knows, in DER, and their meanings."""

from typing import Final

from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec

from kew.protection import der
from kew.protection.policy import DIGESTS

DATA: Final = der.oid("1.2.840.113549.1.7.1")
SIGNED: Final = der.oid("1.2.840.113549.1.7.2")
AUTH_ENVELOPED: Final = der.oid("1.2.840.113549.1.9.16.1.23")
CONTENT_TYPE: Final = der.oid("1.2.840.113549.1.9.3")
MESSAGE_DIGEST: Final = der.oid("1.2.840.113549.1.9.4")

RSA: Final = der.oid("1.2.840.113549.1.1.1")
OAEP: Final = der.oid("1.2.840.113549.1.1.7")
MGF1: Final = der.oid("1.2.840.113549.1.1.8")
EC: Final = der.oid("1.2.840.10045.2.1")

_SHA_OIDS: Final = {
    "SHA256": "2.16.840.1.101.3.4.2.1",
    "SHA384": "2.16.840.1.101.3.4.2.2",
    "SHA512": "2.16.840.1.101.3.4.2.3",
}
_RSA_OIDS: Final = {
    "SHA256": "1.2.840.113549.1.1.11",
    "SHA384": "1.2.840.113549.1.1.12",
    "SHA512": "1.2.840.113549.1.1.13",
}
_ECDSA_OIDS: Final = {"SHA256": "1.2.840.10045.4.3.2", "SHA384": "1.2.840.10045.4.3.3", "SHA512": "1.2.840.10045.4.3.4"}
_KDF_OIDS: Final = {"SHA256": "1.3.132.1.11.1", "SHA384": "1.3.132.1.11.2", "SHA512": "1.3.132.1.11.3"}

HASHES: Final[dict[str, hashes.HashAlgorithm]] = {
    "SHA256": hashes.SHA256(),
    "SHA384": hashes.SHA384(),
    "SHA512": hashes.SHA512(),
}

# Digest algorithms as they may be written: without parameters, or with NULL.
DIGEST_BARE: Final = {name: der.value(der.SEQUENCE, der.oid(dotted)) for name, dotted in _SHA_OIDS.items()}
DIGEST_OF: Final = {
    **{identifier: name for name, identifier in DIGEST_BARE.items()},
    **{der.value(der.SEQUENCE, der.oid(dotted), der.NULL): name for name, dotted in _SHA_OIDS.items()},
}
RSA_SIGNATURE: Final = {name: der.value(der.SEQUENCE, der.oid(dotted), der.NULL) for name, dotted in _RSA_OIDS.items()}
RSA_PLAIN: Final = der.value(der.SEQUENCE, RSA, der.NULL)  # the digest is the one that is stated beside it
ECDSA_SIGNATURE: Final = {name: der.value(der.SEQUENCE, der.oid(dotted)) for name, dotted in _ECDSA_OIDS.items()}
SIGNATURE_DIGEST: Final = dict(DIGESTS)  # MQMLP_SIGN_ALG_* to the name of the digest
STRENGTH: Final = {"SHA256": 256, "SHA384": 384, "SHA512": 512}

# RSAES-OAEP with the same digest for the label and the mask.
OAEP_OF: Final = {
    name: der.value(
        der.SEQUENCE,
        OAEP,
        der.value(
            der.SEQUENCE,
            der.value(der.EXPLICIT | 0, digest),
            der.value(der.EXPLICIT | 1, der.value(der.SEQUENCE, MGF1, digest)),
        ),
    )
    for name, digest in DIGEST_BARE.items()
}
OAEP_READ: Final = {
    **{identifier: name for name, identifier in OAEP_OF.items()},
    **{
        der.value(
            der.SEQUENCE,
            OAEP,
            der.value(
                der.SEQUENCE,
                der.value(der.EXPLICIT | 0, digest),
                der.value(der.EXPLICIT | 1, der.value(der.SEQUENCE, MGF1, digest)),
            ),
        ): name
        for digest, name in DIGEST_OF.items()
    },
}

_GCM_OIDS: Final = {16: "2.16.840.1.101.3.4.1.6", 24: "2.16.840.1.101.3.4.1.26", 32: "2.16.840.1.101.3.4.1.46"}
GCM: Final = {size: der.oid(dotted) for size, dotted in _GCM_OIDS.items()}
GCM_SIZE: Final = {identifier: size for size, identifier in GCM.items()}
_WRAP_OIDS: Final = {16: "2.16.840.1.101.3.4.1.5", 24: "2.16.840.1.101.3.4.1.25", 32: "2.16.840.1.101.3.4.1.45"}
WRAP: Final = {size: der.value(der.SEQUENCE, der.oid(dotted)) for size, dotted in _WRAP_OIDS.items()}
WRAP_SIZE: Final = {identifier: size for size, identifier in WRAP.items()}
KDF: Final = {name: der.oid(dotted) for name, dotted in _KDF_OIDS.items()}
KDF_DIGEST: Final = {identifier: name for name, identifier in KDF.items()}

CURVES: Final[tuple[type[ec.EllipticCurve], ...]] = (ec.SECP256R1, ec.SECP384R1, ec.SECP521R1)
