import type { LinePages } from '../../domain/ledger-transfer.ts';
import { shown, visible } from '../../domain/visible.ts';
import { digestLines } from '../../ledger/line-digest.ts';
import { count } from '../../render/wording.ts';
import type { Context } from '../context.ts';
import { EXIT } from '../exit-codes.ts';
import { CommandError } from '../failure.ts';
import { reportState } from './report.ts';

/** `herald state pull FILE`: writes a copy of the ledger to a new file. The ledger stays where it is. */
export async function statePullCommand(context: Context, path: string): Promise<number> {
  const { state, typed } = context;
  const { ledger } = state;
  if (await typed.files.exists(path))
    throw new CommandError('files-exist', `${visible(path)} exists already.`, 'Name a new file.');
  // Rejects where the ledger must not be used.
  await (await ledger.open()).close();
  await typed.files.writeAtomically(path, textOf(ledger.transfer.lines()), { isPrivate: true });
  const { lines, digest } = await digestLines(ledger.transfer.lines());
  const words = shown`Wrote ${count(lines, 'line')} of ${ledger.name} to ${path} (${digest}).\n`;
  await reportState(context, state, { change: { did: 'pull', file: path, lines, digest }, words });
  return EXIT.done;
}

async function* textOf(pages: LinePages): AsyncGenerator<Uint8Array, void> {
  for await (const page of pages) yield Buffer.from(page.map((line) => `${line}\n`).join(''));
}
