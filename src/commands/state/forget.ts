import { defineCommand, itemDocument } from '../../cli/define-command.ts';
import { lockTimeoutFlag, requiredFlag, textFlag, word, yesFlag } from '../../cli/flags.ts';
import { requireYes, typedQuestion } from '../../cli/question.ts';
import { readReason } from '../../cli/state.ts';
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
    because: requiredFlag('--because <text>', 'what you found, and where'),
    account: textFlag('--account <alias>', 'the account, if several have this id'),
    kind: textFlag('--kind <kind>', 'campaign or broadcast, if both have this id'),
    yes: yesFlag,
    lockTimeout: lockTimeoutFlag,
  },
  needs: 'lease',
  run: async (context, given, { state }) => {
    const because = readReason(given.because);
    const { object, account } = await findObject(state, given);
    const { account_id, kind, live_id, name } = object;
    if (!given.yes) {
      const text = shown`Forget ${kind} ${live_id} (${quoted(name)}) of ${account}? If the service still has it, Herald does not count it as its own any more.`;
      const hint = 'Check that the service does not have it, then add --yes.';
      await requireYes(context, typedQuestion(text, 'forget it'), 'Nothing was written.', hint);
    }
    context.onChange?.();
    if (!(await state.forget({ account_id, kind, live_id, account }, because))) throw unknownObject(live_id);
    return {
      json: () => itemDocument({ live_id, kind, name, account, forgotten_by: context.identity.who, because }),
      text: () => visibleProse(`Forgot ${kind} ${live_id} of ${account}. Next: ${formatCommand('plan')}`),
    };
  },
});

interface Asked {
  readonly id: string;
  readonly account: string | undefined;
  readonly kind: string | undefined;
}

async function findObject(
  state: State,
  { id, account, kind }: Asked,
): Promise<{ readonly object: ObjectRow; readonly account: string }> {
  const { aliases } = await state.known([]);
  const aliasFor = (accountId: string) =>
    aliases.find(({ account_id: known }) => known === accountId)?.alias ?? accountId;
  const found = (await state.findById(id)).filter(
    (object) =>
      (kind === undefined || object.kind === kind) &&
      (account === undefined || object.account_id === account || aliasFor(object.account_id) === account),
  );
  const [object, ...others] = found;
  if (object === undefined) throw unknownObject(id);
  if (others.length > 0)
    throw new HeraldError(
      'ambiguous-name',
      `${found.length} objects have the id ${quoted(id)}: ${found.map((one) => `a ${one.kind} of ${aliasFor(one.account_id)}`).join(', ')}.`,
      'Add --account or --kind.',
    );
  return { object, account: aliasFor(object.account_id) };
}

function unknownObject(id: string): HeraldError {
  return new HeraldError(
    'not-found',
    `The state does not have an object with the id ${quoted(id)}.`,
    `To see the ids that Herald used: ${formatCommand('history')}`,
  );
}
