import { defineCommand, itemResult } from '../../cli/define-command.ts';
import { lockTimeoutFlag, textFlag, word, yesFlag } from '../../cli/flags.ts';
import { askToWrite, becauseFlag } from '../../cli/state-change.ts';
import { formatCommand } from '../../domain/command-line.ts';
import { HeraldError } from '../../domain/herald-error.ts';
import { quoted, shown, visibleProse } from '../../domain/visible.ts';
import type { ObjectRow } from '../../state/shapes.ts';
import type { State } from '../../state/state.ts';

/** The service does not have this object any more. Sends nothing. */
export const forget = defineCommand({
  path: 'state forget',
  about: 'forget a campaign or broadcast that the service does not have any more',
  examples: [
    'herald state forget 77 --because "deleted by support"',
    'herald state forget 77 --account alice --kind campaign --because "deleted by support" --yes',
  ],
  words: { id: word('ID') },
  flags: {
    because: becauseFlag,
    account: textFlag('--account <alias>', 'the account, if several have this id'),
    kind: textFlag('--kind <kind>', 'campaign or broadcast, if both have this id'),
    yes: yesFlag,
    lockTimeout: lockTimeoutFlag,
  },
  needs: 'lease',
  run: async (context, { id, because, yes, ...given }, { state }) => {
    const { account, ...object } = await findObject(state, id, given);
    const { account_id, kind, live_id, name } = object;
    const text = shown`Forget ${kind} ${live_id} (${quoted(name)}) of ${account}? If the service still has it, Herald does not count it as its own any more.`;
    await askToWrite(context, {
      yes,
      text,
      to: 'forget it',
      check: 'Check that the service does not have it',
    });
    if (!(await state.forget({ account_id, kind, live_id, account }, because))) throw unknownObject(live_id);
    return itemResult(
      { live_id, kind, name, account, forgotten_by: context.identity.who, because },
      visibleProse(`Forgot ${kind} ${live_id} of ${account}. Next: ${formatCommand('plan')}`),
    );
  },
});

async function findObject(
  state: State,
  id: string,
  { account, kind }: { readonly account: string | undefined; readonly kind: string | undefined },
): Promise<ObjectRow & { readonly account: string }> {
  const { aliases } = await state.known([]);
  const found = (await state.allObjects())
    .filter((object) => object.live_id === id)
    .map((object) => {
      const known = aliases.find(({ account_id: owner }) => owner === object.account_id);
      return { ...object, account: known?.alias ?? object.account_id };
    })
    .filter((object) => kind === undefined || object.kind === kind)
    .filter((object) => account === undefined || [object.account_id, object.account].includes(account));
  const [object, ...others] = found;
  if (object === undefined) throw unknownObject(id);
  if (others.length === 0) return object;
  const all = found.map((one) => `a ${one.kind} of ${one.account}`).join(', ');
  throw new HeraldError(
    'ambiguous-name',
    `${found.length} objects have the id ${quoted(id)}: ${all}.`,
    'Add --account or --kind.',
  );
}

function unknownObject(id: string): HeraldError {
  return new HeraldError(
    'not-found',
    `The state does not have an object with the id ${quoted(id)}.`,
    `To see the ids that Herald used: ${formatCommand('history')}`,
  );
}
