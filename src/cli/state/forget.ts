import { formatCommand } from '../../domain/command-line.ts';
import { quoted, shown, visibleProse } from '../../domain/visible.ts';
import { renderJson } from '../../render/json.ts';
import type { ObjectRow } from '../../state/shapes.ts';
import type { State } from '../../state/state.ts';
import type { Context } from '../context.ts';
import { EXIT } from '../exit-codes.ts';
import { CommandError } from '../failure.ts';
import { chooseFormat, REPORT_FORMATS } from '../formats.ts';
import { requireYes, typedQuestion } from '../question.ts';
import { changingState, readReason } from './open.ts';

export interface ForgetFlags {
  readonly because: string;
  readonly yes: boolean;
  readonly account: string | undefined;
  readonly kind: string | undefined;
}

/** `herald state forget ID`: the service does not have this object any more. Sends nothing. */
export async function stateForgetCommand(context: Context, id: string, flags: ForgetFlags): Promise<number> {
  const format = chooseFormat(context, REPORT_FORMATS);
  const because = readReason(flags.because);
  const item = await changingState(context, async (state) => {
    const { object, account } = await findObject(state, id, flags);
    const { account_id, kind, live_id, name } = object;
    if (!flags.yes) {
      const text = shown`Forget ${kind} ${id} (${quoted(name)}) of ${account}? If the service still has it, Herald does not count it as its own any more.`;
      const hint = 'Check that the service does not have it, then add --yes.';
      await requireYes(context, typedQuestion(text, 'forget it'), 'Nothing was written.', hint);
    }
    context.onChange?.();
    if (!(await state.forget({ account_id, kind, live_id, account }, because))) throw unknownObject(id);
    return { live_id, kind, name, account, forgotten_by: context.identity.who, because };
  });
  context.output.result(
    format === 'json'
      ? renderJson({ schema: 'herald/item/1', item })
      : visibleProse(`Forgot ${item.kind} ${id} of ${item.account}. Next: ${formatCommand('plan')}`),
  );
  return EXIT.done;
}

async function findObject(
  state: State,
  id: string,
  { account, kind }: ForgetFlags,
): Promise<{ readonly object: ObjectRow; readonly account: string }> {
  const { aliases } = await state.known([]);
  const aliasOf = (accountId: string) =>
    aliases.find(({ account_id: known }) => known === accountId)?.alias ?? accountId;
  const found = (await state.findById(id)).filter(
    (object) =>
      (kind === undefined || object.kind === kind) &&
      (account === undefined || object.account_id === account || aliasOf(object.account_id) === account),
  );
  const [object, ...others] = found;
  if (object === undefined) throw unknownObject(id);
  if (others.length > 0)
    throw new CommandError(
      'ambiguous-name',
      `${found.length} objects have the id ${quoted(id)}: ${found.map((one) => `a ${one.kind} of ${aliasOf(one.account_id)}`).join(', ')}.`,
      'Add --account or --kind.',
    );
  return { object, account: aliasOf(object.account_id) };
}

function unknownObject(id: string): CommandError {
  return new CommandError(
    'not-found',
    `The state does not have an object with the id ${quoted(id)}.`,
    `To see the ids that Herald used: ${formatCommand('history')}`,
  );
}
