import { createHmac, timingSafeEqual } from 'node:crypto';

/** How a signature can be written. The real scheme is not known (EVENT-1). */
export const SIGNATURE_FORMATS = ['hex', 'base64', 'prefixed', 'timestamped'] as const;
export const SIGNATURE_ALGORITHMS = ['sha256', 'sha1', 'sha512'] as const;

/** The check of a signature, as the operator describes it. */
export interface SignatureCheck {
  /** In lower case. */
  readonly header: string;
  readonly algorithm: (typeof SIGNATURE_ALGORITHMS)[number];
  readonly format: (typeof SIGNATURE_FORMATS)[number];
  readonly secret: string;
}

/** A signature with a time is not older than this. The clocks may differ by as much. */
const AGE_MAX_SEC = 300;

/** Whether the header signs the body. The comparison takes the same time whatever differs. */
export function isSigned(
  { algorithm, format, secret }: SignatureCheck,
  header: string | undefined,
  body: Uint8Array,
  nowMs: number,
): boolean {
  if (header === undefined) return false;
  const hmac = () => createHmac(algorithm, secret);
  switch (format) {
    case 'hex':
      return isEqual(Buffer.from(header, 'hex'), hmac().update(body).digest());
    case 'base64':
      return isEqual(Buffer.from(header, 'base64'), hmac().update(body).digest());
    case 'prefixed': {
      const [name, hex = ''] = header.split('=', 2);
      return name === algorithm && isEqual(Buffer.from(hex, 'hex'), hmac().update(body).digest());
    }
    case 'timestamped': {
      const parts = new Map(
        header.split(',').map((part) => [part.split('=')[0]?.trim(), part.split('=')[1]]),
      );
      const sec = parts.get('t') ?? '';
      if (!/^\d{1,12}$/.test(sec) || Math.abs(nowMs / 1000 - Number(sec)) > AGE_MAX_SEC) return false;
      const wanted = hmac().update(`${sec}.`).update(body).digest();
      return isEqual(Buffer.from(parts.get('v1') ?? '', 'hex'), wanted);
    }
  }
}

function isEqual(given: Buffer, wanted: Buffer): boolean {
  return given.length === wanted.length && timingSafeEqual(given, wanted);
}
