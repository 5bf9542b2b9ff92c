import type { Context } from '../context.ts';
import { joined, shown } from '../../domain/visible.ts';
import { loadSettings } from '../../workspace/load.ts';
import { EXIT } from '../../domain/exit-codes.ts';

/** Prints the values for `--account`. Prints nothing without a workspace, because a Tab must not print errors. */
export async function completeAccounts(context: Context): Promise<number> {
  const loaded = await loadSettings(context.files, { env: context.env });
  if (loaded.kind === 'invalid') return EXIT.done;
  const { accounts, groups } = loaded.settings;
  const names = [...accounts.map(({ alias }) => alias), ...Object.keys(groups)];
  context.output.result(
    joined(
      names.map((name) => shown`${name}\n`),
      '',
    ),
  );
  return EXIT.done;
}
