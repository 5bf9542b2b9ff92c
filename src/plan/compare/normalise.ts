import { canonical } from '../../domain/digest.ts';

/** Money is compared in cents: 9.9, 9.90 and 9.900000001 are one price. */
export function sameMoney(left: number, right: number): boolean {
  return Math.round(left * 100) === Math.round(right * 100);
}

/** Instants are compared as instants: zone and spelling do not matter. */
export function sameInstant(left: string, right: string): boolean {
  const [leftMs, rightMs] = [Date.parse(left), Date.parse(right)];
  return Number.isNaN(leftMs) || Number.isNaN(rightMs) ? left === right : leftMs === rightMs;
}

/** A value as one comparable text. */
export function shown(value: unknown): string {
  return canonical(value ?? null);
}
