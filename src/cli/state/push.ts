import { formatCommand } from '../../domain/command-line.ts';
import { fileProblem } from '../../domain/file-problem.ts';
import { shown, visible } from '../../domain/visible.ts';
import { wholeObject } from '../../domain/whole-object.ts';
import { markIn } from '../../host/ledger-mark-line.ts';
import { parseLine } from '../../ledger/parse.ts';
import { underLease } from '../../ledger/under-lease.ts';
import { count } from '../../render/wording.ts';
import type { Context } from '../context.ts';
import { EXIT } from '../exit-codes.ts';
import { CommandError } from '../failure.ts';
import { chooseFormat, REPORT_FORMATS } from '../formats.ts';
import { leaseWait } from '../lease-wait.ts';
import { reportState } from './report.ts';

/** So many places of unreadable lines are named. */
const NAMED_MAX = 5;

/**
 * `herald state push FILE`: adds the lines of a file that the ledger does not have. It may be a rescue file, an older
 * ledger or a backup. Running it again adds nothing.
 */
export async function statePushCommand(context: Context, path: string): Promise<number> {
  chooseFormat(context, REPORT_FORMATS);
  const { state, output } = context;
  const { lines, torn } = readLines(path, await readFile(context, path));
  if (torn) output.say(shown`${path}: the last line was cut off and is left out.`);
  const added = await underLease(
    state.leases,
    (lease) =>
      context.protect(async () => {
        // Rejects where the ledger must not be used.
        await (await state.ledger.openToAppend(lease)).close();
        context.onChange?.();
        return state.ledger.transfer.unite([lines], null, lease);
      }),
    leaseWait(context),
  );
  const words = shown`Added ${count(added, 'line')} of ${path} to ${state.ledger.name}. ${lines.length - added} were there already.\nNext: ${formatCommand('plan')}\n`;
  await reportState(context, state, {
    change: { did: 'push', file: path, lines: lines.length, added },
    words,
  });
  return EXIT.done;
}

async function readFile({ typed }: Context, path: string): Promise<string> {
  try {
    return await typed.files.readText(path);
  } catch (error) {
    throw new CommandError(
      'damaged-ledger',
      `Cannot read ${path}: ${fileProblem(error)}.`,
      `To write a copy of the ledger: ${formatCommand('state', 'pull', 'FILE')}`,
    );
  }
}

/** The lines of the ledger in a file. Throws if one cannot be read: nothing is added then. */
function readLines(
  path: string,
  text: string,
): { readonly lines: readonly string[]; readonly torn: boolean } {
  const written = text.split(/\r?\n/);
  const last = written.at(-1) ?? '';
  const torn = last.trim() !== '' && wholeObject(last) === null;
  const lines = (torn ? written.slice(0, -1) : written)
    .map((line, index) => ({ line, number: index + 1 }))
    .filter(({ line }) => line.trim() !== '' && markIn(line) === null);
  const unreadable = lines.filter(({ line }) => parseLine(line) === null).map(({ number }) => number);
  if (unreadable.length > 0)
    throw new CommandError(
      'damaged-ledger',
      `${visible(path)}: ${count(unreadable.length, 'line')} cannot be read (${unreadable.slice(0, NAMED_MAX).join(', ')}). Nothing was added.`,
      'Restore the lines, or delete those that are not of a ledger.',
      EXIT.failed,
      { lines: unreadable },
    );
  return { lines: lines.map(({ line }) => line), torn };
}
