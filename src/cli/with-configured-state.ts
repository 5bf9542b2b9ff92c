import { configuredState } from '../library/configured-state.ts';
import type { Context } from './context.ts';

/** Runs a command with the ledger and the lease that `herald.yaml` names, and closes their connections after it. */
export async function withConfiguredState<Result>(
  context: Context,
  command: (context: Context) => Result | Promise<Result>,
): Promise<Result> {
  const { clock, files, state, events, env, identity, process } = context;
  const configured = await configuredState({ clock, files, state, events, env, who: identity.who, process });
  if (configured.postgres === null && configured.state === state) return command(context);
  try {
    return await command({ ...context, state: configured.state, events: configured.events });
  } finally {
    await configured.close();
  }
}
