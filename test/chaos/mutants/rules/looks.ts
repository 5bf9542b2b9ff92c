import type { Mutant } from '../mutant.ts';

/** What is looked at before something is changed. */
export const LOOKS: readonly Mutant[] = [
  {
    name: 'no fresh look before a create',
    protects: 'A create goes by a list that was read just before it, not by the one of the plan.',
    file: 'src/apply/execute.ts',
    find: 'const moved = movedSince(list, change, planned);',
    replace: 'const moved: string | null = null;',
  },
  {
    name: 'no look before a start',
    protects: 'What a person has moved since the plan is not switched on.',
    file: 'src/apply/look-first.ts',
    find: '  return startsSending(intended.asked)\n',
    replace:
      "  if (startsSending(intended.asked)) return { kind: 'go on' };\n  return startsSending(intended.asked)\n",
  },
  {
    name: 'no list before a start',
    protects: 'Nothing is switched on next to another one that was made under its name since the plan.',
    file: 'src/apply/fresh-list.ts',
    find: '(ports.byHand === null ? mayStart : mayCreate)(change)',
    replace: 'mayCreate(change)',
  },
  {
    name: 'no look before a stop',
    protects: 'What has begun to go out is not cut off half-way by a stop that was meant for one that waits.',
    file: 'src/apply/look-first.ts',
    find: "    if (looked.kind === 'go on' || count === STOP_LOOKS) return looked;",
    replace: "    if (looked.kind !== undefined) return { kind: 'go on' };",
  },
  {
    name: 'half done is repeated without a look',
    protects: 'A change of an earlier run is not repeated once a person has changed the object again.',
    file: 'src/apply/close-open.ts',
    find: "  if (looked.kind === 'go on') return null;",
    replace: '  if (looked.kind !== undefined) return null;',
  },
  {
    name: 'a declared pause is not read back',
    protects: 'A broadcast that had begun to go out when it was paused is reported with how far it was.',
    file: 'src/plan/broadcast/over.ts',
    find: "const steps = [step('pause', member), step('read_back', member)];",
    replace: "const steps = [step('pause', member)];",
  },
  {
    name: 'a create goes by a list of before its turn',
    protects: 'A create that waited for its turn behind others reads the list again.',
    file: 'src/apply/recorded-call.ts',
    find: 'isOutdated: () => call.renew !== undefined && isOutdated(context.list, clock),',
    replace:
      'isOutdated: () => call.renew !== undefined && isOutdated(context.list, clock) && Date.now() < 0,',
    test: { file: 'test/flows/queued-changes.test.ts', name: 'a create that waits for its turn' },
  },
  {
    name: 'a start goes by a list of before its turn',
    protects: 'A start that waited for its turn behind others reads the list again.',
    file: 'src/apply/step-look.ts',
    find: 'const isOld = context.listIsOld || isOutdated(context.list, context.clock);',
    replace:
      'const isOld = context.listIsOld || (isOutdated(context.list, context.clock) && Date.now() < 0);',
    test: { file: 'test/flows/queued-changes.test.ts', name: 'an activation that waits for its turn' },
  },
  {
    name: 'no second look after a wait',
    protects: 'A create that had to wait looks again before it is sent.',
    file: 'src/apply/step-create.ts',
    find: 'renew: async () => (await refreshListBeforeCreate(context)) ?? intentOf(context, declared),',
    replace: 'renew: async () => intentOf(context, declared),',
  },
  {
    name: 'no list before a start that is repeated',
    protects: 'A start that is sent again after some seconds goes by a list that was read after that.',
    file: 'src/apply/recorded-call.ts',
    find: '      noteAge();\n      return reason',
    replace: '      return reason',
  },
  {
    name: 'no look before the old one is switched on',
    protects: 'After a refused create, a replace switches the old version on only next to nothing else.',
    file: 'src/apply/change-run.ts',
    find: 'const kept = reason === null ? await switchBackOn(context, liveId)',
    replace: 'const kept = reason !== undefined ? await switchBackOn(context, liveId)',
  },
  {
    name: 'two old versions are switched on next to one that a person has switched on',
    protects:
      'After a create that was not sent, a replace switches nothing on next to what someone has switched on meanwhile.',
    file: 'src/apply/change-run.ts',
    find: '[...startedSince(list, change, planned), ...running]',
    replace: '[...startedSince(list, change, planned)]',
    test: {
      file: 'test/flows/throttled-creates.test.ts',
      name: 'switches on none of the two next to one that a person has switched on meanwhile',
    },
  },
  {
    name: 'a pause that shows late keeps the old version off',
    protects:
      'A list that shows the pauses of a replace late does not keep the old versions off after a refused create.',
    file: 'src/apply/change-run.ts',
    find: '(now) => runningIn(now).length === 0,',
    replace: '(now) => runningIn(now).length >= 0,',
    test: {
      file: 'test/flows/throttled-creates.test.ts',
      name: 'switches both on again if no one has changed anything',
    },
  },
  {
    name: 'schedule is not checked at send',
    protects: 'A broadcast is not created when its time has become too near meanwhile.',
    file: 'src/apply/step-create.ts',
    find: 'if (leadMs >= SCHEDULE_LEAD_MS) return null;',
    replace: 'if (leadMs >= -SCHEDULE_LEAD_MS) return null;',
  },
  {
    name: 'no time before the hour',
    protects: 'A broadcast with an hour that is less than 5 minutes away is missed, not created.',
    file: 'src/domain/broadcast.ts',
    find: 'SCHEDULE_LEAD_MS = 5 * 60_000',
    replace: 'SCHEDULE_LEAD_MS = 0',
  },
  {
    name: 'a replace stops what is about to go out',
    protects: 'What goes out within a minute is not stopped for a new version that would come too late.',
    file: 'src/apply/step-status.ts',
    find: "if (change.action !== 'replace' || declared?.kind !== 'broadcast' || old?.kind !== 'broadcast') return null;",
    replace:
      "if (change.action !== 'create' || declared?.kind !== 'broadcast' || old?.kind !== 'broadcast') return null;",
  },
  {
    name: 'replace without a look whether it left',
    protects: 'A broadcast that has begun to go out is not sent again as a new version.',
    file: 'src/plan/broadcast/send.ts',
    find: "    ...members.flatMap((member) => [step('pause', member), step('check_not_left', member)]),",
    replace: "    ...members.flatMap((member) => [step('pause', member)]),",
  },
  {
    name: 'resumed after its hour',
    protects: 'A broadcast is not resumed once its hour has passed: it would go out at once.',
    file: 'src/apply/step-status.ts',
    find: 'if (hour === null || serviceNowMs(context) < Date.parse(hour)) return null;',
    replace: 'if (hour !== undefined) return null;',
  },
  {
    name: 'what the list does not show is gone',
    protects: 'An object that the ledger knows and the list does not show is still there.',
    file: 'src/plan/guards/guards.ts',
    find: '  const isStop = saysStopped(wanted, declared);\n  if (!starts(wanted) && !isStop) return wanted;',
    replace:
      "  const isStop = saysStopped(wanted, declared);\n  if (wanted.action !== 'unmanaged') return wanted;",
  },
  {
    name: 'first page is the list',
    protects: 'A list is complete only when its last page was read.',
    file: 'src/api/pages/scan-completely.ts',
    find: 'return { items, reply: { has_more } };',
    replace: 'return { items, reply: { has_more: has_more === true ? false : has_more } };',
  },
  {
    name: 'stale plan is applied',
    protects: 'A saved plan is refused when what it touches has changed on the service.',
    file: 'src/reconcile/stale.ts',
    find: 'if (reasons.length > 0) throw stale(named, reasons);',
    replace: '',
  },
  {
    name: 'targets are ignored',
    protects: 'A run changes only what --target and --exclude leave in it.',
    file: 'src/plan/build.ts',
    find: 'const wanted = all.filter(({ address }) => selects(address)).toSorted(compareChanges);',
    replace: 'const wanted = all.toSorted(compareChanges);',
  },
  {
    name: 'a review is not looked at',
    protects: 'A run with a review carries out what was reviewed, and nothing else.',
    file: 'src/plan/guards/reviewed.ts',
    find: '.some((one) => reviewed.has(one))) return change;',
    replace: ".some((one) => one !== '')) return change;",
  },
];
