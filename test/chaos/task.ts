import type { Change } from '../../src/domain/change.ts';
import type { SavedPlan } from '../../src/plan/saved.ts';
import type { Declared } from './declare.ts';

/** What one process was asked to do, and so what it may send. */
export interface Task {
  readonly declared: readonly Declared[];
  readonly covers: (account: string, kind: string, name: string) => boolean;
  readonly allow: readonly string[];
  /** It may finish requests of earlier runs that it does not cover. */
  readonly finishes?: boolean;
  /** The changes of the saved plan that it carries out, as a person has seen them; not there without one. */
  readonly shown?: () => ShownPlan;
  readonly wish: Wish;
}

export type ShownPlan = Pick<SavedPlan, 'created_at'> & { readonly changes: readonly Change[] };

/** What a command other than apply was asked for; null for an apply, which is asked for what is declared. */
export type Wish =
  | null
  | { readonly kind: 'status'; readonly key: string; readonly status: string }
  /** The name is empty where it has none. */
  | { readonly kind: 'create'; readonly accountId: string; readonly of: string; readonly name: string }
  | { readonly kind: 'payout'; readonly cents: number; readonly sure: readonly string[] }
  | { readonly kind: 'chat'; readonly text: string; readonly sure: readonly string[] }
  | { readonly kind: 'follow' | 'label'; readonly fan: string }
  | { readonly kind: 'upload' }
  /** `wasOpen`: the ledger has an entry with that name, and no end of it. */
  | { readonly kind: 'close'; readonly entry: string; readonly because: string; readonly wasOpen: boolean }
  | { readonly kind: 'nothing' };
