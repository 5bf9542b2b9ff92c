import { digest } from '../../domain/digest.ts';

/** The permission of an address: to read the object, or to write one part of it. */
interface Grant {
  readonly method: 'GET' | 'PUT';
  readonly key: string;
  /** null for the whole object. */
  readonly part: number | null;
  readonly expiresMs: number;
}

/** A URL that contains its own permission. */
export function presign(baseUrl: string, grant: Grant): string {
  const url = new URL(`${baseUrl}/${grant.key}`);
  if (grant.part !== null) url.searchParams.set('partNumber', String(grant.part));
  url.searchParams.set('Expires', String(grant.expiresMs));
  url.searchParams.set('Signature', signatureOf(grant));
  return url.href;
}

/** The permission that an address claims. `isSigned` tells whether the signature is right. */
export function readPresigned(url: URL): Grant & { readonly isSigned: boolean } {
  const part = url.searchParams.get('partNumber');
  const claim = {
    key: url.pathname.slice(1),
    part: part === null ? null : Number(part),
    expiresMs: Number(url.searchParams.get('Expires')),
  };
  const put = { ...claim, method: 'PUT' as const };
  const get = { ...claim, method: 'GET' as const };
  const signature = url.searchParams.get('Signature');
  const grant = signature === signatureOf(get) ? get : put;
  return { ...grant, isSigned: signature === signatureOf(grant) };
}

/** A fixed secret is enough, because the simulated store protects nothing. */
function signatureOf(grant: Grant): string {
  return digest(['the secret of the simulated object store', grant]);
}
