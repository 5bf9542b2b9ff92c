import { defineCommand, listResult } from '../cli/define-command.ts';
import { textFlag } from '../cli/flags.ts';
import { makePlan } from '../cli/make-plan.ts';
import { writeReport } from '../cli/saved-plan.ts';
import { EXIT } from '../domain/exit-codes.ts';
import { page, shown } from '../domain/visible.ts';
import { listEvents } from '../page/events.ts';
import { renderCalendar } from '../page/ics.ts';
import { makeModel } from '../page/model.ts';
import { EVERYTHING } from '../plan/facts.ts';
import { formatTime } from '../render/values.ts';
import { CHANGE_WORDS } from '../render/wording.ts';

/** The broadcasts from today on, as lines or as an iCalendar file. */
export const calendar = defineCommand({
  path: 'calendar',
  about: 'list the broadcasts from today on; sends only reads',
  examples: ['herald calendar', 'herald calendar --ics broadcasts.ics'],
  flags: { ics: textFlag('--ics <file>', 'write them to this file, for a calendar program') },
  needs: 'workspace',
  run: async (context, { ics }, opened) => {
    const { plan } = await makePlan(context, opened, { targeting: EVERYTHING });
    const model = makeModel(plan, 'plan', new Map());
    if (ics !== undefined) {
      await writeReport(context, ics, renderCalendar(model));
      context.output.say(shown`Calendar written to ${ics}.`);
      return EXIT.done;
    }
    const items = listEvents(model)
      .filter(({ isOld }) => !isOld)
      .map(({ atMs, name, action, accounts }) => ({
        at: new Date(atMs).toISOString(),
        name,
        accounts,
        action,
      }));
    // `Wed 3 Jun 2026 18:00 Europe/Berlin (16:00 UTC)  Sale  alice, bob  create`
    const lines = items.map(
      ({ at, name, accounts, action }) =>
        shown`${formatTime(at, model.zone) ?? at}  ${name}  ${accounts.join(', ')}  ${CHANGE_WORDS[action].label}`,
    );
    return listResult(items, lines.length === 0 ? shown`No broadcasts from today on.` : page(lines));
  },
});
