import { canonical } from '../domain/digest.ts';
import { groupBy } from '../domain/group-by.ts';
import type { Knowledge } from '../domain/knowledge.ts';
import { contentDigest, filesOf } from '../domain/media.ts';
import { plainText } from '../domain/plain-text.ts';
import type { Declared, Observed } from '../domain/resource.ts';
import { digestInPlaceOf, isTextDigest } from '../domain/stored-text.ts';
import { inOrder } from './compare/messages.ts';
import { shown } from './compare/normalise.ts';
import { knownOf } from './match.ts';

/** Objects that show the same, and of which the ledger knows the same: to compare one of them is enough. */
export type Alike = readonly Observed[];

/** Objects by what they send, so that many starts with many objects take linear time. */
export interface RunningContents {
  /** Those that may have the declared content: to be compared. */
  readonly likeDeclared: (declared: Declared) => readonly Alike[];
  /** Those that Herald created from the declared content, whatever they show by now. */
  readonly madeFrom: (declared: Declared) => readonly Alike[];
  /** Those that may have the content of another live object. */
  readonly likeLive: (object: Observed) => readonly Alike[];
}

export function runningContents(objects: readonly Observed[], knowledge: Knowledge): RunningContents {
  const groupsIn = inGroups(knowledge);
  const byTexts = groupBy(objects, (object) => textsOf(object).join(BETWEEN));
  const byMedia = groupBy(objects, keyOfLive);
  const byContent = groupBy(objects, (object) => knownOf(object, knowledge)?.contentDigest ?? '');
  byContent.delete('');
  const bySent = groupBy(objects, (object) => sentTexts(object, knowledge) ?? '');
  bySent.delete('');
  return {
    madeFrom: ({ content }) => (byContent.size === 0 ? [] : groupsIn(byContent.get(contentDigest(content)))),
    likeDeclared: (declared) => {
      const texts = declaredTexts(declared);
      // The media id of a file is not known here: only the ledger tells which media has its bytes.
      const alike =
        filesOf(declared.content).length > 0
          ? byTexts.get(texts.join(BETWEEN))
          : byMedia.get(keyOfDeclared(declared, texts));
      if (bySent.size === 0) return groupsIn(alike);
      return [...groupsIn(alike), ...groupsIn(bySent.get(texts.map(asSent).join(BETWEEN)))];
    },
    likeLive: (object) => groupsIn(byMedia.get(keyOfLive(object))),
  };
}

/** Made once for each list of objects. */
function inGroups(knowledge: Knowledge): (objects: readonly Observed[] | undefined) => readonly Alike[] {
  const made = new Map<readonly Observed[], readonly Alike[]>();
  return (objects = []) => {
    if (objects.length < 2) return objects.length === 0 ? [] : [objects];
    const groups = made.get(objects) ?? [
      ...groupBy(objects, (object) => everythingOf(object, knowledge)).values(),
    ];
    made.set(objects, groups);
    return groups;
  };
}

/** Everything that a comparison with a file depends on, except its time. */
function everythingOf(object: Observed, knowledge: Knowledge): string {
  const { live } = object;
  const head = object.kind === 'campaign' ? [object.live.trigger, object.live.action] : [];
  const known = knownOf(object, knowledge);
  const { contentDigest: content = null, hiddenDigest = null, listIds = null, media = null } = known ?? {};
  const shows = [head, live.rules ?? null, live.audience_filters ?? null, live.messages ?? null];
  return canonical([shows, content, hiddenDigest, listIds, media, known?.rewrites ?? []]);
}

const BETWEEN = '\0';
/** Of two automated chats no messages are compared. */
const MIMIC: readonly string[] = ['start_mimic', ''];

function textsOf({ kind, live }: Observed): readonly string[] {
  if (kind === 'campaign' && live.action === 'start_mimic') return MIMIC;
  return inOrder(live.messages ?? []).map(({ text }) => plainText(text));
}

function declaredTexts({ kind, content }: Declared): readonly string[] {
  if (kind === 'campaign' && content.action === 'start_mimic') return MIMIC;
  return content.messages.map(({ text }) => plainText(text));
}

function keyOfLive(object: Observed): string {
  const media = inOrder(object.live.messages ?? []).flatMap(({ attachments }) => attachments ?? []);
  return withMedia(
    textsOf(object),
    media.map(({ id }) => id),
  );
}

function keyOfDeclared({ content }: Declared, texts: readonly string[]): string {
  const media = content.messages.flatMap(({ attachments }) => attachments ?? []);
  return withMedia(
    texts,
    media.map((attachment) => ('id' in attachment ? attachment.id : '')),
  );
}

function withMedia(texts: readonly string[], media: readonly string[]): string {
  return texts === MIMIC ? MIMIC.join(BETWEEN) : [...texts, '', ...media].join(BETWEEN);
}

/** The texts before the service rewrote them (CONTENT-23), as digests; null where it rewrote none. */
function sentTexts(object: Observed, knowledge: Knowledge): string | null {
  const rewrites = knownOf(object, knowledge)?.rewrites ?? [];
  const sent = new Map(rewrites.map((rewrite) => [rewrite.path, rewrite.sent]));
  const texts = textsOf(object);
  if (!texts.some((_text, index) => sent.has(`messages[${index}].text`))) return null;
  return texts
    .map((text, index) => {
      const stored = sent.get(`messages[${index}].text`) ?? shown(text);
      return isTextDigest(stored) ? stored : digestInPlaceOf(stored);
    })
    .join(BETWEEN);
}

/** As the ledger has the texts of rewrites. */
function asSent(text: string): string {
  return digestInPlaceOf(shown(text));
}
