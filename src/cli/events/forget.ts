import { EVENTS_BEGIN } from '../../domain/event-store.ts';
import type { FanId } from '../../domain/ids.ts';
import { shown } from '../../domain/visible.ts';
import { isOfFan } from '../../events/of-fan.ts';
import { renderJson } from '../../render/json.ts';
import { count } from '../../render/wording.ts';
import type { Context } from '../context.ts';
import { EXIT } from '../exit-codes.ts';
import { CommandError } from '../failure.ts';
import { chooseFormat, REPORT_FORMATS } from '../formats.ts';

/** `herald events forget FAN`: erases the events of one fan, also while a receiver runs. */
export async function eventsForgetCommand(
  context: Context,
  fanId: FanId,
  { yes = false }: { readonly yes?: boolean },
): Promise<number> {
  const format = chooseFormat(context, REPORT_FORMATS);
  const isErased = isOfFan(fanId);
  let found = 0;
  await context.events.read(EVENTS_BEGIN, (event) => void (found += isErased(event) ? 1 : 0));
  if (found > 0 && !yes) {
    if (!context.interactive)
      throw new CommandError(
        'needs-yes',
        'Erased events cannot be restored, and Herald cannot ask without a terminal. Nothing was erased.',
        'Add --yes.',
      );
    const question = shown`Erase ${count(found, 'event')} of fan ${fanId}? They cannot be restored.`;
    if (!(await context.confirm(question))) throw new CommandError('declined', 'Nothing was erased.');
  }
  const erased = found === 0 ? 0 : await context.events.erase(isErased);
  context.output.result(
    format === 'json'
      ? renderJson({ schema: 'herald/item/1', item: { fan_id: fanId, erased } })
      : shown`Erased ${count(erased, 'event')} of fan ${fanId} in ${context.events.name}.`,
  );
  return EXIT.done;
}
