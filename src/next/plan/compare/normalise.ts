import { canonical } from '../../../domain/digest.ts';
import { fullInstantMs } from '../../../domain/full-instant.ts';

/** Money is compared in cents: 9.9, 9.90 and 9.900000001 are one price. */
export function sameMoney(left: number, right: number): boolean {
  return Math.round(left * 100) === Math.round(right * 100);
}

/** Instants are compared as instants: zone and spelling do not matter. */
export function sameInstant(left: string, right: string): boolean {
  const [leftMs, rightMs] = [inUtc(left), inUtc(right)];
  return leftMs === null || rightMs === null ? left === right : leftMs === rightMs;
}

/** Assumed: a time without a zone is in UTC (READ-7). `Date.parse` alone takes it for one of this machine's zone. */
function inUtc(text: string): number | null {
  return fullInstantMs(text) ?? fullInstantMs(`${text}Z`) ?? fullInstantMs(`${text}T00:00:00Z`);
}

/** A value as one comparable text. */
export function shown(value: unknown): string {
  return canonical(value ?? null);
}
