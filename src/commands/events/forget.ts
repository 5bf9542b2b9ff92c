import { defineCommand, itemResult } from '../../cli/define-command.ts';
import { switchFlag, word, yesFlag } from '../../cli/flags.ts';
import { requireYes } from '../../cli/question.ts';
import { formatCommand } from '../../domain/command-line.ts';
import { EXIT } from '../../domain/exit-codes.ts';
import type { FanId } from '../../domain/ids.ts';
import { shown } from '../../domain/visible.ts';
import { nameEvent, type StoredEvent } from '../../events/event.ts';
import { count } from '../../render/wording.ts';

/** The lists are the service's own, and Herald keeps no note of a fan that was erased. */
const STORED_AGAIN =
  'The next comparison with the lists stores the payments and subscriptions again that the service still lists.';

/** Erases the events of one fan, also while a receiver runs. */
export const forget = defineCommand({
  path: 'events forget',
  about: 'erase the events of one fan',
  examples: ['herald events forget 5550001 --yes'],
  more: STORED_AGAIN,
  words: { fan: word('FAN') },
  flags: {
    yes: yesFlag,
    unreadable: switchFlag('--unreadable', 'also erase events with a body that cannot be read'),
  },
  needs: 'nothing',
  run: async (context, { fan, yes, unreadable }) => {
    const found: number[] = [];
    const unread: string[] = [];
    await context.events.read((event, number) => {
      const isErased = isAboutFan(event, fan);
      if (isErased ?? unreadable) found.push(number);
      else if (isErased === null) unread.push(nameEvent(event));
    });
    if (found.length > 0 && !yes) {
      const text = shown`Erase ${count(found.length, 'event')} of fan ${fan}? They cannot be restored.`;
      await requireYes(context, { text, to: 'erase them' }, 'Nothing was erased.');
    }
    const erased = found.length === 0 ? 0 : await context.events.erase(found);
    const [first] = unread;
    if (first !== undefined)
      context.output.fail(
        shown`${count(unread.length, 'event has a body', 'events have bodies')} that Herald cannot read, so they may name the fan: ${unread.join(', ')}. To look at one: ${formatCommand('events', 'show', first)}. To erase them as well: ${formatCommand('events', 'forget', fan, '--unreadable')}`,
      );
    return {
      exit: first === undefined ? EXIT.done : EXIT.partly,
      ...itemResult(
        { fan_id: fan, erased, unread },
        shown`Erased ${count(erased, 'event')} of fan ${fan}. ${STORED_AGAIN}`,
      ),
    };
  },
});

/** Whether an event is about this fan, or has the id as a whole word in its body; null if the body is not text, so it may. */
function isAboutFan({ fan_id, encoding, body }: StoredEvent, fanId: FanId): boolean | null {
  if (fan_id === fanId) return true;
  if (encoding !== 'utf8') return null;
  // The character before the id may be encoded, in a form or in JSON: `%209001`, `\n9001`.
  const text = body.replace(/%[\da-f]{2}|\\[bfnrt]/gi, ' ');
  return text.split(/[^\p{L}\d-]+/u).includes(fanId);
}
