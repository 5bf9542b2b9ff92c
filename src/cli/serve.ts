import { type ExitCode, EXIT } from '../domain/exit-codes.ts';
import { HeraldError } from '../domain/herald-error.ts';
import type { Visible } from '../domain/visible.ts';
import type { Context, InterruptWords } from './context.ts';
import { itemResult, printResult, type Reports } from './define-command.ts';

const TICK_MS = 1_000;
const STOPPED: InterruptWords = { first: 'Stopped.', second: 'Stopped immediately.' };

/** What listens on a port. */
interface Server {
  readonly host: string;
  readonly port: number;
  readonly start: () => Promise<Served>;
}

interface Served {
  /** Where it is, for programs and for people. */
  readonly item: Readonly<Record<string, unknown>>;
  readonly text: Visible | readonly Visible[];
  /** Done each second. */
  readonly tick: () => unknown;
  readonly close: () => Promise<void>;
}

/** Starts a server, prints where it is, and lets it run until an interrupt. */
export async function serveUntilInterrupted(
  context: Context,
  format: keyof Reports,
  { host, port, start }: Server,
  words = STOPPED,
): Promise<ExitCode> {
  const { clock, interrupted } = context;
  const { item, text, tick, close } = await start().catch((error: unknown) => refusePort(error, host, port));
  const work = async () => {
    // Printed last, because a reader of this line may interrupt immediately.
    await printResult(context, format, itemResult(item, text));
    try {
      while (!interrupted.aborted) {
        await clock.sleep(TICK_MS, interrupted).catch(() => undefined);
        await tick();
      }
    } finally {
      await close();
    }
  };
  await context.protect(work, words);
  return EXIT.done;
}

/** Throws an error that says which port is in use. Other errors are thrown as they are. */
function refusePort(error: unknown, host: string, port: number): never {
  if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
  throw new HeraldError(
    'port-in-use',
    `Port ${port} of ${host} is in use.`,
    'Choose another one with --port, or stop the process that has it.',
  );
}
