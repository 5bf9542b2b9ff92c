import { formatCommand } from '../../domain/command-line.ts';
import { EVENTS_BEGIN, type EventPosition, type StoredEvent } from '../../domain/event-store.ts';
import type { FanId } from '../../domain/ids.ts';
import { shown } from '../../domain/visible.ts';
import { nameEvent } from '../../events/event.ts';
import { renderJson } from '../../render/json.ts';
import { count } from '../../render/wording.ts';
import type { Context } from '../context.ts';
import { EXIT } from '../../domain/exit-codes.ts';
import { chooseFormat, REPORT_FORMATS } from '../formats.ts';
import { requireYes, typedQuestion } from '../question.ts';

/** `herald events forget FAN`: erases the events of one fan, also while a receiver runs. */
export async function eventsForgetCommand(
  context: Context,
  fanId: FanId,
  { yes = false, unreadable = false }: { readonly yes?: boolean; readonly unreadable?: boolean },
): Promise<number> {
  const format = chooseFormat(context, REPORT_FORMATS);
  const found: EventPosition[] = [];
  const unread: string[] = [];
  await context.events.read(EVENTS_BEGIN, (event, position) => {
    const isErased = isAboutFan(event, fanId);
    if (isErased ?? unreadable) found.push(position);
    else if (isErased === null) unread.push(nameEvent(event));
  });
  if (found.length > 0 && !yes) {
    const text = shown`Erase ${count(found.length, 'event')} of fan ${fanId}? They cannot be restored.`;
    await requireYes(context, typedQuestion(text, 'erase them'), 'Nothing was erased.');
  }
  const erased = found.length === 0 ? 0 : await context.events.erase(found);
  context.output.result(
    format === 'json'
      ? renderJson({ schema: 'herald/item/1', item: { fan_id: fanId, erased, unread } })
      : shown`Erased ${count(erased, 'event')} of fan ${fanId}.`,
  );
  if (unread.length === 0) return EXIT.done;
  const [first = ''] = unread;
  context.output.fail(
    shown`${count(unread.length, 'event has a body', 'events have bodies')} that Herald cannot read, so they may name the fan: ${unread.join(', ')}. To look at one: ${formatCommand('events', 'show', first)}. To erase them as well: ${formatCommand('events', 'forget', fanId, '--unreadable')}`,
  );
  return EXIT.partly;
}

/** Whether an event is about this fan, or has the id as a whole word in its body; null if the body is not text, so it may. */
function isAboutFan({ fan_id, encoding, body }: StoredEvent, fanId: FanId): boolean | null {
  if (fan_id === fanId) return true;
  if (encoding !== 'utf8') return null;
  // The character before the id may be encoded, in a form or in JSON: `%209001`, `\n9001`.
  const text = body.replace(/%[\da-f]{2}|\\[bfnrt]/gi, ' ');
  return text.split(/[^\p{L}\d-]+/u).includes(fanId);
}
