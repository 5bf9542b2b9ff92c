import { EDITED, isRunning, OWN_WORDS, slotOf, WAITING, type Content, type Declared } from './declare.ts';
import { draftName, isOfSlot, messageOf, newestOf } from './commands.ts';
import { callOf, STATUS_OF } from './status-calls.ts';
import { groupOf, keyOf, liveOf, NAMED_BY_PERSON, type Live } from './live.ts';
import { pullLedgers } from './pulls.ts';
import type { PersonAction, PersonAt, SlotName } from './shape.ts';
import { LEDGER_FILE } from '../helpers/scene.ts';
import { atWork, count, type Actor, type Chaos, type Process } from './state.ts';

/** Lets people act right before requests of a process. */
export function peopleDuring(
  chaos: Chaos,
  process: Process,
  people: readonly PersonAt[],
): (request: { readonly method: string; readonly path: string; readonly search: URLSearchParams }) => void {
  const seen = { list: 0, write: 0, request: 0 };
  const done = new Set<PersonAt>();
  return ({ method, path, search }) => {
    seen.request += 1;
    const isList = method === 'GET' && LIST.test(path) && Number(search.get('offset')) === 0;
    if (isList) seen.list += 1;
    if (method !== 'GET') seen.write += 1;
    for (const person of people) {
      const { before, nth, afterSec } = person;
      if (before === 'saved plan' || done.has(person)) continue;
      const isTime = before === 'request' || (before === 'list' ? isList : method !== 'GET');
      if (!isTime || seen[before] < nth) continue;
      if (afterSec === undefined) {
        if (actBeside(chaos, process, person)) done.add(person);
        continue;
      }
      done.add(person);
      void chaos.clock.sleep(afterSec * 1000).then(() => {
        if (process.endedMs === null) actBeside(chaos, process, person);
      });
    }
  };
}

/** Answers whether there was anything to do. */
function actBeside(chaos: Chaos, process: Process, { deed }: PersonAt): boolean {
  if (deed.kind === 'pull') {
    const hasPulled = pullLedgers(chaos, process.actor);
    if (hasPulled) count(chaos, 'a git pull in the middle of a command', 1, 'done');
    return hasPulled;
  }
  const about = act(chaos, deed, process);
  if (about === null) return false;
  // Everyone else at work meets it as well.
  for (const { disturbed } of [process, ...atWork(chaos)]) for (const one of about) disturbed.add(one);
  count(chaos, `a person, ${wordOf(deed)}, next to a run`, 1, 'done');
  return true;
}

/** What people do between a saved plan and its apply; the resources that it is about. */
export function peopleAfterPlan(chaos: Chaos, people: readonly PersonAt[]): ReadonlySet<string> {
  const about = people
    .filter(({ before }) => before === 'saved plan')
    .flatMap(({ deed }) => act(chaos, deed, null) ?? []);
  return new Set(about);
}

/** The rule that people set. */
export const TUNED = 'unsend_delay_sec';

const LIST = /\/(auto-message-campaigns|priority-mass-message-campaigns)$/;

function wordOf(deed: PersonAction): string {
  return deed.kind === 'change' ? deed.verb : deed.kind;
}

/** What a person does on the service itself; the resources that it is about, null where nothing could be done. */
export function act(chaos: Chaos, deed: PersonAction, during: Process | null): readonly string[] | null {
  const about = actOn(chaos, deed, during);
  if (about === null) return null;
  chaos.tell(`A person on the service: ${wordOf(deed)} of ${about.join(', ')}`);
  const nowMs = chaos.simulator.control.now();
  for (const group of about) {
    chaos.people.touchedMs.set(group, nowMs);
    const [accountId = '', kind = '', name = ''] = group.split('/');
    for (const { runningPeriods, declared } of chaos.actors) {
      // From here on it may take another object to bring it back.
      runningPeriods.touch(accountId, kind, name);
      runningPeriods.begin(chaos.simulator.world.nextRequest, declared);
    }
  }
  return about;
}

function actOn(chaos: Chaos, deed: PersonAction, during: Process | null): readonly string[] | null {
  const { control, world } = chaos.simulator;
  switch (deed.kind) {
    case 'change':
      return change(chaos, deed);
    case 'copy':
    case 'own words':
      return make(chaos, deed, during);
    case 'edit':
      return rewrite(chaos, deed.slot);
    case 'rename':
      return rename(chaos, deed.slot);
    case 'sooner':
      return hurry(chaos, deed.slot);
    case 'tune':
      return tune(chaos, deed.slot);
    case 'payout':
      control.seed({ kind: 'payout_request', account_id: '101', set: { amount: deed.cents / 100 } });
      chaos.people.payouts.push({ atMs: control.now(), cents: deed.cents });
      return [];
    case 'message':
      control.seed({ kind: 'chat_message', account_id: '101', set: messageOf(deed.words) });
      return [];
    case 'flash':
      control.seedBroadcast('101', { name: draftName(deed.words), scheduled_at: null });
      return [];
    case 'pull':
      return null;
    case 'username': {
      // Before anything is on record, nothing tells that it was another account's.
      const isOnRecord = ({ scene }: Actor) => wholeLines(scene.files.tree).includes('"account_id":"101"');
      if (!chaos.actors.every(isOnRecord)) return null;
      const username = world.accounts['101']?.live.username ?? '';
      if (username === world.accounts['102']?.live.username) return null;
      control.editAccount('101', { username: `${username}_before` });
      control.editAccount('102', { username });
      return [];
    }
  }
}

/** What is on record: not the half of a line at which a process was killed. */
function wholeLines(tree: Readonly<Record<string, string>>): string {
  const text = tree[LEDGER_FILE] ?? '';
  return text.slice(0, text.lastIndexOf('\n') + 1);
}

/** Switches on an older version too, next to which a run may be about to make a new one. */
function change(
  chaos: Chaos,
  { slot, verb, running = false }: Extract<PersonAction, { readonly kind: 'change' }>,
): readonly string[] | null {
  const { control } = chaos.simulator;
  const group = liveOf(chaos.simulator).filter(
    (live) =>
      live.accountId === '101' &&
      live.kind === slotOf(slot).kind &&
      isOfSlot(live, slot) &&
      (!running || isRunning(live.status)),
  );
  const object = verb === 'start' ? group.find(({ status }) => status === 'paused') : group.at(-1);
  const call = object === undefined ? null : callOf(object, verb);
  if (object === undefined || call === null) return null;
  const { accountId, kind, id } = object;
  if (call === 'unsend') {
    if (kind === 'broadcast') return null;
    chaos.author.recalled(slot);
    control.editCampaign(accountId, id, { status: 'recalled' });
  } else {
    const status = call === 'resume' ? 'scheduled' : STATUS_OF[call];
    if (kind === 'campaign') control.editCampaign(accountId, id, { status });
    else control.editBroadcast(accountId, id, { status });
  }
  if (verb === 'start') chaos.people.overlapping.add(slot);
  return [groupOf(object)];
}

/** Makes one more, with the words of what is live or declared, or with words of their own. */
function make(
  chaos: Chaos,
  { kind: how, slot }: Extract<PersonAction, { readonly kind: 'copy' | 'own words' }>,
  during: Process | null,
): readonly string[] | null {
  const declared = (during?.actor ?? chaos.actors[0])?.declared.find(
    (one) => one.accountId === '101' && one.slot.slot === slot,
  );
  const live = newestOf(chaos, slot);
  const from: Pick<Live, 'name' | 'content'> | Declared | undefined = declared ?? live;
  if (from === undefined || from.content.sha256 !== null) return null;
  const words = how === 'copy' ? from.content : { text: `${slot}${OWN_WORDS}`, sha256: null };
  chaos.people.overlapping.add(slot);
  return [groupOf({ accountId: '101', ...madeBy(chaos, slot, from.name, words, declared) })];
}

function madeBy(
  { simulator: { control }, people }: Chaos,
  slot: SlotName,
  name: string,
  { text }: Content,
  declared: Declared | undefined,
): Pick<Live, 'kind' | 'name'> {
  const { kind } = slotOf(slot);
  const set = { name, messages: [{ text }], ...(declared?.slot.waits === true ? WAITING : {}) };
  const hour = declared?.hourMs ?? null;
  const { id } =
    kind === 'campaign'
      ? control.seedCampaign('101', set)
      : control.seedBroadcast('101', {
          ...set,
          ...(hour === null ? {} : { scheduled_at: new Date(hour).toISOString() }),
        });
  people.made.add(keyOf({ accountId: '101', kind, id }));
  return { kind, name };
}

function rewrite(chaos: Chaos, slot: SlotName): readonly string[] | null {
  const object = newestOf(chaos, slot);
  if (object === undefined || !isRunning(object.status)) return null;
  set(chaos, object, { messages: editedIn(chaos, object) });
  chaos.people.overlapping.add(slot);
  return [groupOf(object)];
}

/** Gives it another name. A ledger that has its id still knows it; to any other one it is an object of someone else. */
function rename(chaos: Chaos, slot: SlotName): readonly string[] | null {
  const object = newestOf(chaos, slot);
  if (object === undefined || !isRunning(object.status)) return null;
  const name = `${slot}${NAMED_BY_PERSON}`;
  set(chaos, object, { name });
  chaos.people.overlapping.add(slot);
  if (chaos.actors.some(({ scene }) => wholeLines(scene.files.tree).includes(`"live_id":"${object.id}"`)))
    chaos.author.renamedByPerson(slot, name);
  return [groupOf(object), groupOf({ ...object, name })];
}

function set(
  { simulator: { control } }: Chaos,
  { accountId, kind, id }: Live,
  members: Parameters<typeof control.editCampaign>[2] & Parameters<typeof control.editBroadcast>[2],
): void {
  if (kind === 'campaign') control.editCampaign(accountId, id, members);
  else control.editBroadcast(accountId, id, members);
}

/** The service takes whole hours. */
const HOUR_MS = 3_600_000;

function hurry(chaos: Chaos, slot: SlotName): readonly string[] | null {
  const object = newestOf(chaos, slot);
  if (object?.status !== 'scheduled') return null;
  const { control } = chaos.simulator;
  const hourMs = Math.ceil(control.now() / HOUR_MS) * HOUR_MS;
  control.editBroadcast(object.accountId, object.id, { scheduled_at: new Date(hourMs).toISOString() });
  return [groupOf(object)];
}

/** Sets a rule of what runs: a new version that is made from the files is without it. */
function tune(chaos: Chaos, slot: SlotName): readonly string[] | null {
  const object = newestOf(chaos, slot);
  if (object === undefined || !isRunning(object.status)) return null;
  const { simulator, people } = chaos;
  const { accountId, kind, id } = object;
  const account = simulator.world.accounts[accountId];
  const live = (kind === 'campaign' ? account?.campaigns : account?.broadcasts)?.[id]?.live;
  const rules = { ...live?.rules, [TUNED]: 86_400 };
  if (kind === 'campaign') simulator.control.editCampaign(accountId, id, { rules });
  else simulator.control.editBroadcast(accountId, id, { rules });
  people.tunedMs.set(keyOf(object), simulator.control.now());
  return [groupOf(object)];
}

/** The messages of an object with a word more in each text. */
function editedIn({ simulator: { world } }: Chaos, { accountId, kind, id }: Live) {
  const account = world.accounts[accountId];
  const { live } = (kind === 'campaign' ? account?.campaigns : account?.broadcasts)?.[id] ?? {};
  return (live?.messages ?? []).map((message) => ({
    ...message,
    text: `${message.text ?? ''}${EDITED}`,
  }));
}
