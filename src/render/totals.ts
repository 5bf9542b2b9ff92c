import { valueAt } from './cells.ts';
import { compareText } from '../domain/diagnostic.ts';

/** What to add up: money columns, by account and by the value of another column. */
interface Sums {
  readonly sums: readonly string[];
  readonly by: string;
}

interface Total {
  readonly account: string;
  readonly by: string;
  rows: number;
  /** In millionths, so that cents add up exactly. Null if a row has no amount. */
  readonly amounts: (bigint | null)[];
}

export const MILLION = 1_000_000;

/** Adds up rows while a list is read, by account and by another column, such as the currency. */
export class Totals {
  private readonly totals = new Map<string, Total>();

  constructor(private readonly wanted: Sums) {}

  add(items: readonly Readonly<Record<string, unknown>>[]): void {
    for (const item of items) {
      const total = this.findTotal(readText(item['account']), readText(valueAt(item, this.wanted.by)));
      total.rows += 1;
      for (const [index, path] of this.wanted.sums.entries()) {
        total.amounts[index] = addAmount(total.amounts[index] ?? null, valueAt(item, path));
      }
    }
  }

  /** Null without rows. */
  table() {
    if (this.totals.size === 0) return null;
    const { by, sums } = this.wanted;
    const sorted = [...this.totals.values()].toSorted(
      (left, right) => compareText(left.account, right.account) || compareText(left.by, right.by),
    );
    return {
      columns: [
        { header: 'account' },
        { header: by },
        { header: 'rows', align: 'right', whole: true },
        ...sums.map((path) => ({ header: path, align: 'right', whole: true }) as const),
      ] as const,
      rows: sorted.map((total) => [
        total.account,
        total.by,
        String(total.rows),
        ...total.amounts.map((amount) => (amount === null ? NOT_KNOWN : formatMillionths(amount))),
      ]),
    };
  }

  private findTotal(account: string, by: string): Total {
    const key = JSON.stringify([account, by]);
    const known = this.totals.get(key);
    if (known !== undefined) return known;
    const total: Total = { account, by, rows: 0, amounts: this.wanted.sums.map(() => 0n) };
    this.totals.set(key, total);
    return total;
  }
}

const NOT_KNOWN = 'n/a';

function readText(value: unknown): string {
  return typeof value === 'string' ? value : NOT_KNOWN;
}

/** Adds an amount to a sum in millionths, so that cents add up exactly. Null if one of them is not known. */
export function addAmount(sum: bigint | null, amount: unknown): bigint | null {
  const isExact = typeof amount === 'number' && Math.abs(amount) < Number.MAX_SAFE_INTEGER / MILLION;
  return !isExact || sum === null ? null : sum + BigInt(Math.round(amount * MILLION));
}

/** Two decimals, or more if the sum has more. */
function formatMillionths(millionths: bigint): string {
  const sign = millionths < 0n ? '-' : '';
  const digits = String(millionths < 0n ? -millionths : millionths).padStart(7, '0');
  const decimals = digits.slice(-6).replace(/0{1,4}$/, '');
  return `${sign}${digits.slice(0, -6)}.${decimals}`;
}
