"""The names of certificates, as policies write them."""

from cryptography import x509

from kew.protection.names import OIDS, Name, folded


def name_of(certificate_name: x509.Name) -> Name:
    """Give the name in a certificate, in the order in which a policy writes it."""
    found = [
        (OIDS.get(each.oid.dotted_string, each.oid.dotted_string), folded(str(each.value))) for each in certificate_name
    ]
    return tuple(reversed(found))
