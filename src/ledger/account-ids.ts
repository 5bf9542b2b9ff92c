import type { LinePlace } from './object-times.ts';
import type { LedgerLine } from './lines.ts';

/** The id of the account that each alias stood for when it was last used, by what the lines say. */
export class AccountIds {
  readonly #last: Map<string, LastId>;

  /** `kept`: what another one has noted. */
  constructor(kept: KeptAccountIds = []) {
    this.#last = new Map(kept.map(([alias, said]) => [alias, { ...said, ms: said.ms ?? NEVER }]));
  }

  /** Takes in a line; they may come in any order. */
  note(line: LedgerLine, { ms, place }: LinePlace): void {
    const said = saidAccount(line);
    if (said === null) return;
    const { account, account_id: id } = said;
    const known = this.#last.get(account);
    if (known === undefined) this.#last.set(account, { ms, place, id });
    else if (known.ms < ms || (known.ms === ms && known.place <= place)) {
      known.ms = ms;
      known.place = place;
      known.id = id;
    }
  }

  /** Everything that was noted. */
  kept(): KeptAccountIds {
    return [...this.#last].map(([alias, said]) => [
      alias,
      { ...said, ms: said.ms === NEVER ? null : said.ms },
    ]);
  }

  /** The number of the line that has the last word on the alias; null where none has. */
  lineOf(alias: string): number | null {
    return this.#last.get(alias)?.place ?? null;
  }

  /** By alias. */
  all(): ReadonlyMap<string, string> {
    return new Map([...this.#last].map(([alias, { id }]) => [alias, id]));
  }
}

interface LastId {
  ms: number;
  place: number;
  id: string;
}

/** As JSON, which has no word for a time before all others but null. */
export type KeptAccountIds = readonly (readonly [
  string,
  Omit<LastId, 'ms'> & { readonly ms: number | null },
])[];

const NEVER = Number.NEGATIVE_INFINITY;

/** An alias, and the account that it stood for. */
interface SaidAccount {
  readonly account: string;
  readonly account_id: string;
}

/**
 * Null where a line does not say it: a payout of an account of which only the platform's id was known, and what stays of
 * an outcome, which may have come long after its request.
 */
export function saidAccount(line: LedgerLine): SaidAccount | null {
  if (!('account_id' in line)) return null;
  const { account, account_id } = line;
  if (account === undefined || account_id === undefined) return null;
  if (line.type === 'act' && line.details['platform_account_id'] === account_id) return null;
  return line.type === 'known' && line.tells_account === false ? null : { account, account_id };
}
