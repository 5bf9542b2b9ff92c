import { shown, visible, visibleProse } from '../domain/visible.ts';
import type { ConnectPorts } from '../library/connect.ts';
import type { WorkspacePorts } from '../library/open.ts';
import type { Context } from './context.ts';
import { CommandError } from './failure.ts';
import { reconcilePorts } from './reporter.ts';
import { sayUploadDoubts } from './vault/upload-doubts.ts';

/** What the library needs from a command: its files, its network, its questions and its lines. */
export function workspacePorts(context: Context): WorkspacePorts {
  return {
    ...connectPorts(context),
    ...reconcilePorts(context),
    bytes: context.bytes,
    // Loaded with the first upload: most runs have none.
    openBoard: async () => new (await import('./vault/upload-board.ts')).UploadBoard(context),
    onLedgerRead: (known) => sayUploadDoubts(context, known),
  };
}

/** The same for a command that connects and reconciles nothing. */
export function connectPorts(context: Context): ConnectPorts {
  const { clock, files, random, env, network, output, flags } = context;
  return {
    clock,
    files,
    random,
    env,
    ...(network === undefined ? {} : { network }),
    readKey: () => readKey(context),
    mayReceiveKey: (origin) => mayReceiveKey(context, origin),
    onWrite: () => context.onChange?.(),
    warn: (sentence) => output.say(shown`warning: ${visibleProse(sentence)}`),
    awaiting: (answer) => output.awaiting(answer),
    ...(flags.verbose ? { log: (line: string) => output.say(visible(line)) } : {}),
  };
}

/** An origin in the user's own trust file, or one that the user agrees to now. */
async function mayReceiveKey(context: Context, origin: string): Promise<boolean> {
  const { trusted, output, interactive, confirm } = context;
  if ((await trusted.list()).includes(origin)) return true;
  const question = shown`Send the API key to ${origin}? Only herald.yaml names this address so far.`;
  if (!interactive || !(await confirm(question))) return false;
  await trusted.replace([...(await trusted.list()), origin]);
  output.say(shown`Remembered in ${trusted.path}. To take it back: herald trust --remove ${origin}`);
  return true;
}

async function readKey(context: Context): Promise<string | undefined> {
  const { apiKeyFile } = context.flags;
  const text =
    apiKeyFile === undefined ? context.env['HERALD_API_KEY'] : await readKeyFile(context, apiKeyFile);
  context.output.hide(text ?? '');
  return text;
}

async function readKeyFile(context: Context, path: string): Promise<string> {
  try {
    return await context.typed.files.readText(path);
  } catch (error) {
    throw new CommandError(
      'no-api-key',
      `The API key file ${path} cannot be read: ${(error as Error).message}.`,
      null,
    );
  }
}
