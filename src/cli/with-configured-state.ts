import { configuredState, type StatePorts } from '../library/configured-state.ts';
import type { Context } from './context.ts';

/** Runs a command with the ledger and the lease that `herald.yaml` names, and closes their connections after it. */
export async function withConfiguredState<Result>(
  context: Context,
  command: (context: Context) => Result | Promise<Result>,
): Promise<Result> {
  const { fileState: state } = context;
  const configured = await configuredState(statePorts(context));
  if (configured.postgres === null && configured.state === state) return command(context);
  try {
    return await command(contextWith(context, { state: configured.state, events: configured.events }));
  } finally {
    await configured.close();
  }
}

/**
 * The context with some parts replaced. Its getters are kept, not read: the one of `interactive` opens standard input,
 * and most commands never need it.
 */
export function contextWith(context: Context, parts: Partial<Context>): Context {
  const own = { ...Object.getOwnPropertyDescriptors(context), ...Object.getOwnPropertyDescriptors(parts) };
  return Object.create(Object.prototype, own) as Context;
}

/** What it takes to open a state. */
export function statePorts({
  clock,
  files,
  fileState,
  fileEvents,
  env,
  identity,
  process,
  remotes,
}: Context): StatePorts {
  return { clock, files, state: fileState, events: fileEvents, env, who: identity.who, process, remotes };
}
