import type { Write } from './writes.ts';

/** A line of a ledger as it is written. */
export type Line = Readonly<Record<string, unknown>>;

/** A line that a crash has cut says nothing. */
export function lineOf(text: string): Line {
  try {
    return JSON.parse(text) as Line;
  } catch {
    return {};
  }
}

/** Whether a line that begins an entry announces such a request. */
export function isAbout(line: Line, write: Write): boolean {
  switch (write.kind) {
    case 'create':
      // Nothing could find the object of a create without a name, so it is recorded as an act.
      if (write.name === '') return line['type'] === 'act' && line['operation'] === `${write.of}s.create`;
      return line['type'] === 'intent' && line['call'] === 'create' && line['name'] === write.name;
    case 'status':
      return line['type'] === 'intent' && line['call'] !== 'create' && line['live_id'] === write.id;
    default:
      return line['type'] === 'act' && line['operation'] === OPERATION[write.kind];
  }
}

const OPERATION: Readonly<Record<string, string>> = {
  payout: 'payouts.request',
  chat: 'chat.send',
  follow: 'fans.follow',
  label: 'fans.label',
};
