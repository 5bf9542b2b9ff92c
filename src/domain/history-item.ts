import { KINDS } from './resource.ts';

/** A request of Herald, as `herald history` prints it. */
export interface HistoryItem {
  /** When its last copy left, by the clock of its sender: ISO 8601 in UTC. */
  readonly at: string;
  /** When its end was known; null while it is unconfirmed. */
  readonly ended_at: string | null;
  readonly run: string;
  /** A CI job or a person; null where the state does not say. */
  readonly who: string | null;
  /** `account/kind/name`. */
  readonly address: string;
  readonly account: string;
  readonly account_id: string;
  /** `campaign`, `broadcast`, `message`, `label`, `follow`, `payout`, `upload` or `call`. */
  readonly kind: string;
  readonly name: string;
  /** `create`, `pause` and so on; of other kinds the name of the request, such as `chat.send`. */
  readonly action: string;
  /** Why it was sent; null for everything but campaigns and broadcasts. */
  readonly purpose: string | null;
  /**
   * `done`, `refused`, `not_sent`, `absent`, `adopted`, or `closed` by a person; `unknown` while it is unconfirmed. Or `blocked`, if
   * an event says that the message guard stopped it.
   */
  readonly outcome: string;
  readonly live_id: string | null;
  /** Of the declared content; null for what creates nothing. */
  readonly content_digest: string | null;
  /** The beginning of the digest, which `history show` takes. */
  readonly version: string | null;
  /** Objects that it replaced. */
  readonly supersedes: readonly string[];
  readonly message: string;
  readonly entry: string;
}

const STATUS_ACTIONS: Readonly<Record<string, string>> = {
  active: 'activate',
  paused: 'pause',
  archived: 'archive',
  queued: 'resume',
};

interface Requested {
  readonly operation: string;
  readonly kind: string;
  /** The status that it asked for, if it did. */
  readonly target: string | null;
}

/** What a request on record was to do, in the words of commands. */
export function nameAction({ operation, kind, target }: Requested): string {
  if (!KINDS.some((one) => one === kind) || operation === 'state.forget') return operation;
  if (operation.endsWith('.create')) return 'create';
  return target === null ? 'recall' : (STATUS_ACTIONS[target] ?? 'set status');
}
