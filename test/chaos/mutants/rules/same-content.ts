import type { Mutant } from '../mutant.ts';

const FLOWS = 'test/flows/same-content-elsewhere.test.ts';
const PLANS = 'test/plan/left-running.test.ts';
const MOVED = 'test/flows/moved-content.test.ts';
const HIDDEN = 'test/flows/moved-content-hidden.test.ts';
const LAG = 'test/flows/moved-content-lag.test.ts';
const BEGUN = 'test/flows/moved-content-begun.test.ts';

/** Content that moves from one resource to another. */
export const SAME_CONTENT: readonly Mutant[] = [
  {
    name: 'half of an exchange is carried out',
    protects: 'Nothing starts next to the same content of another resource that this run leaves running.',
    file: 'src/plan/guards/left-running.ts',
    find: 'clashes.filter((clash) => stays(clash, run)),',
    replace: "clashes.filter(({ by }) => by.action === 'keep'),",
  },
  {
    name: 'an exchange is carried out in one run',
    protects:
      'Two resources do not exchange their contents in one run: neither can stop before the other one starts.',
    file: 'src/plan/guards/left-running.ts',
    find: 'block(inCircles(clashes.filter(isOpen)), circleWords);',
    replace: 'block(inCircles([]), circleWords);',
  },
  {
    name: 'what is not approved counts as stopped',
    protects: 'Nothing starts next to the same content that runs on because its change lacks an approval.',
    file: 'src/plan/guards/left-running.ts',
    find: 'selects(by.address) && permits(by);',
    replace: 'selects(by.address);',
    test: { file: PLANS, name: 'was not reviewed or not approved' },
  },
  {
    name: 'a text that moves starts next to a stop that failed',
    protects: 'A start waits for the stop of the same content, and is not sent if that did not succeed.',
    file: 'src/apply/stops-first.ts',
    find: "const SUCCEEDED: readonly (OutcomeKind | undefined)[] = ['applied', 'adopted'];",
    replace:
      "const SUCCEEDED: readonly (OutcomeKind | undefined)[] = ['applied', 'adopted', 'unknown', 'failed'];",
    test: {
      file: 'test/flows/same-content-elsewhere.test.ts',
      name: 'is not started if the other one cannot be paused',
    },
  },
  {
    name: 'a text that moves starts in the order of the names',
    protects: 'A start comes after the stop of the same content, whatever the names are.',
    file: 'src/apply/stops-first.ts',
    find: 'if (stopsFirst.size === 0) return changes;',
    replace: 'if (stopsFirst.size >= 0) return changes;',
    test: { file: FLOWS, name: 'starts after the other one was stopped, whatever their names' },
  },
  {
    name: 'two files with one audience count as declaring the same',
    protects: 'Two files declare the same content only if its messages are the same.',
    file: 'src/plan/both-declare.ts',
    find: '...compareMessages(content.messages, others.messages.map(asShown), IS_FILE),',
    replace: '',
    test: { file: MOVED, name: 'is not sent twice where only the new resource is a target' },
  },
  {
    name: 'two files with one text count as declaring the same',
    protects: 'Two files declare the same content only if their audiences are the same.',
    file: 'src/plan/both-declare.ts',
    find: 'if (headOf(declared) !== headOf(other)) return false;',
    replace: '',
    test: { file: MOVED, name: 'is not sent twice where only the new resource is a target' },
  },
  {
    name: 'only the version that a change names counts as running',
    protects: 'Nothing starts next to the same content in another version of a resource that is blocked.',
    file: 'src/plan/same-content.ts',
    find: 'group.filter(counts).flatMap((object) => {',
    replace:
      'group.filter((one) => counts(one) && changes.some((by) => names(by, one.live.id))).flatMap((object) => {',
    test: { file: HIDDEN, name: 'while another version of its name runs with it' },
  },
  {
    name: 'content that cannot be read counts as another one',
    protects: 'Nothing starts next to what Herald created from the same content, whatever it shows by now.',
    file: 'src/plan/same-content.ts',
    find: "for (const object of made.flat()) same.set(object, 'what it was made from');",
    replace: '',
    test: { file: HIDDEN, name: 'where a broadcast with it cannot be read' },
  },
  {
    name: 'a rewritten text is looked up as it shows',
    protects: 'A text that the service rewrote is known as the one that was sent.',
    file: 'src/plan/running-contents.ts',
    find: 'if (bySent.size === 0) return groupsIn(alike);',
    replace: 'if (bySent.size >= 0) return groupsIn(alike);',
    test: { file: HIDDEN, name: 'and something else of the content changes' },
  },
  {
    name: 'a version that is started is taken for the file',
    protects:
      'The start of a version that differs from its file in ignored texts is compared by the version.',
    file: 'src/plan/same-content.ts',
    find: 'return { file: creates || other.length < switchedOn.size, objects: other };',
    replace: 'return { file: true, objects: [] };',
    test: { file: HIDDEN, name: 'is compared with the live version' },
  },
  {
    name: 'what Herald created from another content blocks permanently',
    protects: 'A version that a person changed counts as what it shows, if its file says the same.',
    file: 'src/plan/same-content.ts',
    find: "by === 'what it was made from' || (by === 'its content' && sends);",
    replace: "by === 'its content' && sends;",
    test: { file: HIDDEN, name: 'is not blocked by a version that a person changed' },
  },
  {
    name: 'a create that the list does not show counts under its own name only',
    protects: 'Nothing starts next to the same content that Herald has just created under another name.',
    file: 'src/plan/build.ts',
    find: 'guardHidden(listed, declared, () => scope.hiddenTwinOf(declared))',
    replace: 'guardHidden(listed, declared, () => null)',
    test: { file: LAG, name: 'is not sent twice when it is taken over' },
  },
  {
    name: 'a create that no list ever shows blocks its content permanently',
    protects: 'A missing object blocks its content under other names for a day at most.',
    file: 'src/plan/just-now.ts',
    find: 'return isSince(atMs, CREATE_MAY_LAG_MS);',
    replace: 'return isSince(atMs, CREATE_MAY_LAG_MS * 1_000);',
    test: { file: LAG, name: 'holds a rename for a day at most' },
  },
  {
    name: 'an activation that the list does not show yet counts as paused',
    protects: 'Nothing starts next to the same content that Herald has just activated.',
    file: 'src/plan/just-now.ts',
    find: "return isSince(heardAtMs(key, 'pausedFor'), START_MAY_LAG_MS);",
    replace: 'return false;',
    test: { file: LAG, name: 'counts as running for its content' },
  },
  {
    name: 'what a person paused counts as running',
    protects: 'An object that is shown as paused some minutes after its activation counts as paused.',
    file: 'src/plan/just-now.ts',
    find: "return isSince(heardAtMs(key, 'pausedFor'), START_MAY_LAG_MS);",
    replace: "return isSince(heardAtMs(key, 'pausedFor'), START_MAY_LAG_MS * 1_000);",
    test: { file: LAG, name: 'counts as paused once the list has had time' },
  },
  {
    name: 'a broadcast that had begun to go out counts as stopped',
    protects: 'A text is not sent again if its broadcast had begun to go out before the pause arrived.',
    file: 'src/apply/stops-first.ts',
    find: 'if (begun !== undefined)',
    replace: "if (begun === '')",
    test: { file: BEGUN, name: 'in this run or the next one' },
  },
  {
    name: 'a broadcast that was paused half-way counts as never sent',
    protects: 'A text is not sent again while its broadcast is paused half-way.',
    file: 'src/plan/same-content.ts',
    find: 'runs(object) || hasLeft(object) || isJustStarted(object);',
    replace: 'runs(object) || isJustStarted(object);',
    test: { file: BEGUN, name: 'in this run or the next one' },
  },
];
