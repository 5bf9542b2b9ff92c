import { createHmac } from 'node:crypto';
import { stringify } from 'lossless-json';
import { isoTime } from '../records.ts';
import type { Envelope, Signature } from './state.ts';

/** The members of a payload. A bigint is an integer in JSON. */
export type Payload = Readonly<Record<string, unknown>>;

/** One event before its envelope. */
export interface EventContent {
  readonly number: number;
  readonly kind: string;
  readonly atMs: number;
  readonly payload: Payload;
}

/** Just above the integers that a JavaScript number holds. */
const BIG_IDS_FROM = 9_007_199_254_740_993n;

/** The body of a delivery. */
export function bodyOf(envelope: Envelope, { number, kind, atMs, payload }: EventContent): string {
  const text = `evt-${number}`;
  switch (envelope) {
    case 'flat':
      return json({ id: text, event: kind, created_at: isoTime(atMs), ...payload });
    case 'nested':
      return json({
        event: kind,
        data: { id: BIG_IDS_FROM + BigInt(number), created_at: isoTime(atMs), ...payload },
      });
    case 'typed':
      return json({ type: kind, timestamp: Math.floor(atMs / 1000), payload });
    case 'cloud':
      return json({ specversion: '1.0', id: text, type: kind, time: isoTime(atMs), data: payload });
  }
}

function json(value: object): string {
  return stringify(value) ?? 'null';
}

/** The header of a signed delivery. */
export function signatureHeader(
  { header, secret, format }: Signature,
  body: string,
  nowMs: number,
): Record<string, string> {
  const hmac = (text: string) => createHmac('sha256', secret).update(text);
  switch (format) {
    case 'hex':
      return { [header]: hmac(body).digest('hex') };
    case 'base64':
      return { [header]: hmac(body).digest('base64') };
    case 'prefixed':
      return { [header]: `sha256=${hmac(body).digest('hex')}` };
    case 'timestamped': {
      const sec = Math.floor(nowMs / 1000);
      return { [header]: `t=${sec},v1=${hmac(`${sec}.${body}`).digest('hex')}` };
    }
  }
}
