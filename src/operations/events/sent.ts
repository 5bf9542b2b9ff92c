import type { RequestRow } from '../../state/shapes.ts';
import type { State } from '../../state/state.ts';
import { CHAT_SEND, type Sent } from './blocked.ts';

/** A chat message on record. */
export interface SentMessage extends Sent {
  readonly entry: string;
}

const PAGE = 1_000;

/** The chat messages that left since an instant, newest first. Requests are on record in the order in which they left. */
export async function readSentMessages(
  state: Pick<State, 'history'>,
  sinceMs: number,
): Promise<readonly SentMessage[]> {
  const found: SentMessage[] = [];
  for (let before_seq = Number.MAX_SAFE_INTEGER; ;) {
    const rows = await state.history({ before_seq, limit: PAGE });
    found.push(
      ...rows
        .filter(({ operation, sent_at }) => operation === CHAT_SEND && sent_at >= sinceMs)
        .map(describeMessage),
    );
    const last = rows.at(-1);
    if (last === undefined || rows.length < PAGE || last.sent_at < sinceMs) return found;
    before_seq = last.seq;
  }
}

function describeMessage(row: RequestRow): SentMessage {
  const {
    operation: action,
    sent_at: sentMs,
    outcome,
    live_id,
    account,
    account_id,
    kind,
    name,
    entry,
  } = row;
  const at = new Date(sentMs).toISOString();
  return { at, action, outcome: outcome ?? 'unknown', live_id, account, account_id, kind, name, entry };
}
