import { isOperation, type CallName, type Operation } from '../api/catalogue.ts';
import type { Problem } from '../api/errors.ts';
import type { Row } from '../api/row.ts';
import type { LooseInput } from '../api/url.ts';
import { formatCommand } from '../domain/command-line.ts';
import { digest } from '../domain/digest.ts';
import type { ResolvedAccount } from '../domain/resource.ts';
import type { Run } from '../engine/run.ts';
import { requireDone, sendAct } from './act.ts';
import { HeraldError } from '../domain/herald-error.ts';

/**
 * The command for each operation that changes something. `herald api` does not send these: each has rules that a raw call would
 * have to repeat, and a second way past them.
 */
const COMMANDS: Readonly<Partial<Record<Operation, () => string>>> = {
  'campaigns.create': () => formatCommand('apply'),
  'broadcasts.create': () => formatCommand('apply'),
  'campaigns.set-status': () => formatCommand('campaigns', '--help'),
  'broadcasts.set-status': () => formatCommand('broadcasts', '--help'),
  'campaigns.unsend': () => formatCommand('campaigns', 'recall', 'NAME'),
  'broadcasts.unsend': () => formatCommand('broadcasts', 'recall', 'NAME'),
  'chat.send': () => formatCommand('chat', 'send', 'CHAT', '--text', 'TEXT'),
  'fans.label': () => formatCommand('fans', 'label', 'FAN', '--name', 'NAME'),
  'fans.follow': () => formatCommand('fans', 'follow', 'FAN'),
  'payouts.request': () => formatCommand('payouts', 'request', '--amount', 'USD'),
  'vault.upload-start': () => formatCommand('vault', 'upload', 'FILE'),
  'vault.upload-finish': () => formatCommand('vault', 'upload', 'FILE'),
  'vault.upload-export': () => formatCommand('vault', 'upload', 'FILE'),
  'vault.verify-fan': () => formatCommand('vault', 'verify-fan', 'URL'),
  'vault.upload-retry': () => formatCommand('vault', 'retry', 'UPLOAD'),
};

/** Throws for a call that has a command of its own. Call it before anything else of a raw write. */
export function refuseRawWrite(name: CallName): void {
  const command = isOperation(name) ? COMMANDS[name]?.() : undefined;
  if (command === undefined) return;
  throw new HeraldError(
    'invalid-call',
    `${name} was not sent: it has a command of its own, which checks it, and never sends it twice.`,
    `Use: ${command}`,
  );
}

/** A call that changes something, and that the catalogue does not have. */
export interface RawWrite {
  readonly name: CallName;
  readonly row: Row;
  readonly input: LooseInput;
  /** The account in its path; for a call about no account, an empty id. */
  readonly account: ResolvedAccount;
}

export type RawSent =
  /** `text`: the answer as it came. */
  | {
      readonly kind: 'done';
      readonly reply: unknown;
      readonly text: string | undefined;
      readonly unrecorded: string | null;
    }
  | { readonly kind: 'failed'; readonly problem: Problem };

/**
 * Sends a call as it was typed, on record, once. Nothing can find out what became of one without an answer, so an open one with
 * the same method and path holds back the next, until a person closes it.
 */
export async function sendRaw(
  run: Run,
  { name, row, input, account }: RawWrite,
  ask: (() => Promise<void>) | null,
): Promise<RawSent> {
  const { params = {}, body } = input;
  const send = run.client.prepareRow(name, row, input);
  const words = {
    what: `call ${name}`,
    next: (entry: string) =>
      `Check on the service what came of it. Then close it: ${formatCommand('state', 'close', entry, '--because', 'REASON')}`,
  };
  let text: string | undefined;
  const end = await sendAct<unknown, never, never>(
    run,
    {
      subject: { operation: name, account, kind: 'call', name },
      words,
      resolve: { kind: 'ask' },
      prepare: () => ({
        asked: { params, body_digest: body === undefined ? null : digest(body) },
        send: async (before) => {
          const exchange = await send(before);
          if (exchange.kind === 'done') ({ text } = exchange);
          return exchange;
        },
      }),
    },
    { acknowledge: false, ask },
  );
  if (end.kind === 'failed') return end;
  const { reply, unrecorded } = requireDone(end, words);
  return { kind: 'done', reply, text, unrecorded };
}
