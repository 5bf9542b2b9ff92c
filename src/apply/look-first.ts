import type { Client } from '../api/client.ts';
import type { LiveId } from '../domain/ids.ts';
import type { Clock } from '../domain/ports.ts';
import type { ResolvedAccount } from '../domain/resource.ts';
import { startsSending } from '../domain/status.ts';
import { findingOf, type Finding, type PlannedRequest } from './moved.ts';
import { readById, readByIdOrList, type Live, type ObjectId, type Read } from '../live/read-object.ts';

/** A stop does not wait longer than this for its look. */
const STOP_LOOK_MS = 5_000;

/** A stop is held back only once this many looks say so: lists and single reads may lag a little. */
const STOP_LOOKS = 3;
const LOOK_AGAIN_MS = 1_000;

/** What a look works with. */
export interface LookPorts {
  readonly client: Client;
  readonly clock: Clock;
  readonly account: ResolvedAccount;
}

type Unread = Extract<Read, { readonly kind: 'unread' }>;

/** What a look came to; `unread` only where nothing may start without one. */
export type Looked =
  | { readonly kind: 'go on' }
  | { readonly kind: 'unread'; readonly why: Unread['why'] }
  | { readonly kind: 'differs'; readonly finding: Exclude<Finding, 'as planned'>; readonly live: Live };

/**
 * Reads an object right before a request that changes it, and says whether it still is what was decided about.
 *
 * | the look                     | a start                 | a stop, a recall                           |
 * |------------------------------|-------------------------|--------------------------------------------|
 * | as planned                   | sent                    | sent                                       |
 * | other than planned           | not sent                | not sent, once three looks say so          |
 * | fails, or takes too long     | not sent                | sent: what is to stop must not run on      |
 */
export async function look(ports: LookPorts, liveId: LiveId, intended: PlannedRequest): Promise<Looked> {
  return startsSending(intended.asked)
    ? lookToStart(ports, liveId, intended)
    : lookToStop(ports, liveId, intended);
}

async function lookToStart(
  { client, account }: LookPorts,
  liveId: LiveId,
  intended: PlannedRequest,
): Promise<Looked> {
  const read = await readByIdOrList(client, account, intended.kind, liveId);
  return read.kind === 'unread' ? read : judged(intended, read.live);
}

/** A single read may be older than the list that the plan went by: what it says against a stop has to last. */
async function lookToStop(ports: LookPorts, liveId: LiveId, intended: PlannedRequest): Promise<Looked> {
  const object = { accountId: ports.account.accountId, kind: intended.kind, liveId };
  for (let count = 1; ; count += 1) {
    const live = await readQuickly(ports, object);
    const looked: Looked = live === null ? { kind: 'go on' } : judged(intended, live);
    if (looked.kind === 'go on' || count === STOP_LOOKS) return looked;
    await ports.clock.sleep(LOOK_AGAIN_MS);
  }
}

function judged(intended: PlannedRequest, live: Live): Looked {
  const finding = findingOf(intended, live);
  return finding === 'as planned' ? { kind: 'go on' } : { kind: 'differs', finding, live };
}

/** One try within its time; null when it does not answer by then. */
async function readQuickly({ client, clock }: LookPorts, object: ObjectId): Promise<Live | null> {
  const answered = new AbortController();
  let isLate = false;
  const tooLate = clock.sleep(STOP_LOOK_MS, answered.signal).then(
    () => {
      isLate = true;
      return null;
    },
    () => null,
  );
  const read = readById(client, object, (earlier) =>
    earlier !== null || isLate ? 'Herald stops it anyway' : null,
  );
  try {
    const first = await Promise.race([read, tooLate]);
    return first?.kind === 'done' ? first.reply : null;
  } finally {
    answered.abort();
  }
}
