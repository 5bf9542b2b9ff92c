import { isMap, isSeq, type YAMLMap } from 'yaml';
import { resolveTime, wallClockIn } from '../workspace/schedule.ts';
import { isForm, type Form, type FormPath, type Plain } from './form.ts';
import { removeValue, setValue, toNode } from './resource-file.ts';

/** A live object, and its differences from a file. */
export interface Difference {
  /** The live object in the form of a file. */
  readonly form: Form;
  /** Paths as in plans: `rules.end_at`, `messages[0].text`, … */
  readonly paths: readonly string[];
  /** Set if the status differs: the new value for the file, or null for the default. */
  readonly status: string | null | undefined;
  /** Keys that differ between a declared and a live message. */
  readonly messageKeys: (declared: number, live: number) => readonly string[];
}

/** Writes texts to their place in the files. */
export interface TextWriter {
  /** The live text for the file, with the variables of the written text. */
  write(written: string, live: string): string;
  /** Changes the text file of a message. False if it cannot have this text; then the message gets its own text. */
  intoFile(reference: string, live: string): boolean;
}

/** Makes a written resource equal to live, and changes nothing else. Comments stay with what they are about. */
export function updateResource(node: YAMLMap, difference: Difference, writer: TextWriter): void {
  const { form, paths, status } = difference;
  const touches = (area: string) => paths.some((path) => path === area || path.startsWith(`${area}.`));
  if (status === null) removeValue(node, ['status']);
  else if (status !== undefined) setValue(node, ['status'], status);
  for (const key of ['trigger', 'action', 'scheduled_at']) if (touches(key)) updateValue(node, [key], form);
  for (const path of paths) if (path.startsWith('rules.')) updateRule(node, path.split('.'), form);
  if (touches('audience_filters')) updateAudience(node, form);
  if (touches('action') || paths.some((path) => path.startsWith('messages')))
    updateMessages(node, difference, writer);
}

function updateRule(node: YAMLMap, path: readonly string[], form: Form): void {
  const rule = path.slice(0, 2);
  // A new rule is added as a whole, because a part may not be valid.
  const steps = node.hasIn(rule) ? path : rule;
  // A value that is not set live is removed with the parents that are not either.
  const unset = steps.findIndex((_, index) => liveAt(form, steps.slice(0, index + 1)) === undefined);
  if (unset === -1) updateValue(node, steps, form);
  else removeValue(node, steps.slice(0, unset + 1));
}

function liveAt(form: Form, path: FormPath): Plain | undefined {
  return path.reduce<Plain | undefined>((value, step) => (isForm(value) ? value[step] : undefined), form);
}

/** Keeps local times of the written zone, if the zone has this time. */
function updateValue(node: YAMLMap, path: readonly string[], form: Form): void {
  const value = liveAt(form, path);
  const key = path.at(-1) ?? '';
  if (value === undefined) removeValue(node, path);
  else if (!key.endsWith('_at') || typeof value !== 'string') setValue(node, path, value);
  else {
    const zonePath = [...path.slice(0, -1), `${key}_timezone`];
    const [zone, liveZone] = [node.getIn(zonePath), liveAt(form, zonePath)];
    const time = resolveTime(value, typeof liveZone === 'string' ? liveZone : undefined);
    const wall = typeof zone === 'string' && time.kind === 'hour' ? wallClockIn(zone, time.utc) : null;
    setValue(node, path, wall ?? value);
    if (wall !== null) return;
    if (liveZone === undefined) removeValue(node, zonePath);
    else setValue(node, zonePath, liveZone);
  }
}

/** Unchanged filters stay as written, with their comments. Others are removed, and new ones are added. */
function updateAudience(node: YAMLMap, form: Form): void {
  const live = asList(form['audience_filters']).filter(isForm);
  removeValue(node, live.length === 0 ? ['audience_filters'] : ['audience']);
  if (live.length === 0) {
    setValue(node, ['audience'], 'everyone');
    return;
  }
  const list = node.get('audience_filters', true);
  const written = isSeq(list) ? asList(list.toJSON()) : [];
  const names = namesIn(written);
  const added = [...live];
  const kept = written.map((filter) => {
    const partner = added.findIndex((candidate) => isSameFilter(filter, candidate));
    if (partner !== -1) added.splice(partner, 1);
    return partner !== -1;
  });
  const fresh = added.map((filter) => withNames(filter, names));
  if (isSeq(list) && list.items.length > 0)
    list.items = [...list.items.filter((_, index) => kept[index]), ...fresh.map(toNode)];
  else setValue(node, ['audience_filters'], fresh);
}

/** True if a written filter equals a live one. Days and names of lists are not in replies. */
function isSameFilter(written: unknown, live: Form): boolean {
  if (!isForm(written) || written['kind'] !== live['kind'] || written['mode'] !== live['mode']) return false;
  const [wanted, got] = [readOptions(written), readOptions(live)];
  return (
    isSameInstant(wanted['from_at'], got['from_at']) &&
    isSameInstant(wanted['to_at'], got['to_at']) &&
    areSameLists(asList(wanted['lists']), asList(got['lists']))
  );
}

function isSameInstant(left: unknown, right: unknown): boolean {
  if (typeof left !== 'string' || typeof right !== 'string') return left === right;
  return Date.parse(left) === Date.parse(right);
}

function areSameLists(written: readonly unknown[], live: readonly unknown[]): boolean {
  const ids = new Set(live.map((list) => (isForm(list) ? list['id'] : undefined)));
  const pinned = written.flatMap((list) => (isForm(list) && list['id'] !== undefined ? [list['id']] : []));
  return written.length === live.length && pinned.every((id) => ids.has(id));
}

/** Names of lists in the file, by id. The service never returns them. */
function namesIn(filters: readonly unknown[]): ReadonlyMap<unknown, Plain> {
  const lists = filters.flatMap((filter) => (isForm(filter) ? asList(readOptions(filter)['lists']) : []));
  return new Map(
    lists
      .filter(isForm)
      .flatMap(({ id, name }): [unknown, Plain][] => (name === undefined ? [] : [[id, name]])),
  );
}

function withNames(filter: Form, names: ReadonlyMap<unknown, Plain>): Form {
  const options = readOptions(filter);
  const lists = asList(options['lists']).filter(isForm);
  if (lists.length === 0) return filter;
  const named = lists.map((list): Form => ({ ...list, name: names.get(list['id']) ?? list['name'] ?? '' }));
  return { ...filter, options: { ...options, lists: named } };
}

function readOptions({ options }: Form): Form {
  return isForm(options) ? options : {};
}

function asList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/**
 * Equal messages stay, in the longest common order. Between them, messages are changed one by one, and the rest is
 * removed or added.
 */
function updateMessages(node: YAMLMap, { form, messageKeys }: Difference, writer: TextWriter): void {
  const live = asList(form['messages']).filter(isForm);
  const list = node.get('messages', true);
  if (live.length === 0) removeValue(node, ['messages']);
  else if (!isSeq(list) || list.items.length === 0) setValue(node, ['messages'], live);
  else {
    const written = list.items;
    const items: unknown[] = [];
    let [left, right] = [0, 0];
    const ends = { left: written.length, right: live.length };
    for (const anchor of [...findAnchors(written.length, live.length, messageKeys), ends]) {
      for (; left < anchor.left && right < anchor.right; left += 1, right += 1) {
        const message = written[left];
        if (isMap(message)) updateMessage(message, live[right] ?? {}, messageKeys(left, right), writer);
        items.push(message);
      }
      for (; right < anchor.right; right += 1) items.push(toNode(live[right] ?? {}));
      if (anchor !== ends) items.push(written[anchor.left]);
      [left, right] = [anchor.left + 1, anchor.right + 1];
    }
    list.items = items;
  }
}

interface Anchor {
  readonly left: number;
  readonly right: number;
}

/** The longest common subsequence: equal pairs, in order. */
function findAnchors(lefts: number, rights: number, differing: Difference['messageKeys']): readonly Anchor[] {
  const lengths = Array.from({ length: lefts + 1 }, () => Array.from({ length: rights + 1 }, () => 0));
  const lengthAt = (left: number, right: number) => lengths[left]?.[right] ?? 0;
  const isSame = (left: number, right: number) => differing(left, right).length === 0;
  for (let left = lefts - 1; left >= 0; left -= 1)
    for (let right = rights - 1; right >= 0; right -= 1) {
      const row = lengths[left] ?? [];
      row[right] = isSame(left, right)
        ? lengthAt(left + 1, right + 1) + 1
        : Math.max(lengthAt(left + 1, right), lengthAt(left, right + 1));
    }
  const anchors: Anchor[] = [];
  for (let left = 0, right = 0; left < lefts && right < rights;) {
    if (isSame(left, right)) {
      anchors.push({ left, right });
      left += 1;
      right += 1;
    } else if (lengthAt(left + 1, right) >= lengthAt(left, right + 1)) left += 1;
    else right += 1;
  }
  return anchors;
}

function updateMessage(message: YAMLMap, live: Form, keys: readonly string[], writer: TextWriter): void {
  // A price needs paid content, so it is added even if no file had it.
  const paid = keys.includes('price_gross') && 'text_is_paid' in live ? ['text_is_paid'] : [];
  for (const key of new Set([...keys, ...paid])) {
    const value = live[key];
    if (key === 'text') updateText(message, value, writer);
    else if (value === undefined) message.delete(key);
    else setValue(message, [key], value);
  }
}

function updateText(message: YAMLMap, live: Plain | undefined, writer: TextWriter): void {
  const [written, reference] = [message.get('text'), message.get('text_file')];
  if (typeof live !== 'string') message.delete(typeof reference === 'string' ? 'text_file' : 'text');
  else if (typeof reference !== 'string')
    setValue(message, ['text'], writer.write(typeof written === 'string' ? written : '', live));
  else if (!writer.intoFile(reference, live)) {
    message.delete('text_file');
    setValue(message, ['text'], live);
  }
}
