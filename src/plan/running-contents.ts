import { groupBy } from '../domain/group-by.ts';
import type { Knowledge } from '../domain/knowledge.ts';
import { contentDigest, filesOf } from '../domain/media.ts';
import { plainText } from '../domain/plain-text.ts';
import type { Declared, Observed } from '../domain/resource.ts';
import { digestInPlaceOf, isTextDigest } from '../domain/stored-text.ts';
import { inOrder } from './compare/messages.ts';
import { shown } from './compare/normalise.ts';
import { knownOf } from './match.ts';

/** Objects by what they send, so that many starts with many objects take linear time. */
export interface RunningContents {
  /** Those that may have the declared content: to be compared. */
  likeDeclared(declared: Declared): readonly Observed[];
  /** Those that Herald created from the declared content, whatever they show by now. */
  madeFrom(declared: Declared): readonly Observed[];
  /** Those that may have the content of another live object. */
  likeLive(object: Observed): readonly Observed[];
}

export function runningContents(objects: readonly Observed[], knowledge: Knowledge): RunningContents {
  const byTexts = groupBy(objects, (object) => textsOf(object).join(BETWEEN));
  const byMedia = groupBy(objects, keyOfLive);
  const rewritten = objects.flatMap((object) => {
    const key = sentTexts(object, knowledge);
    return key === null ? [] : [{ object, key }];
  });
  const bySent = groupBy(rewritten, ({ key }) => key);
  const made = objects.flatMap((object) => {
    const content = knownOf(object, knowledge)?.contentDigest ?? null;
    return content === null ? [] : [{ object, content }];
  });
  const byContent = groupBy(made, ({ content }) => content);
  return {
    madeFrom: ({ content }) =>
      byContent.size === 0 ? [] : (byContent.get(contentDigest(content)) ?? []).map(({ object }) => object),
    likeDeclared: (declared) => {
      const texts = declaredTexts(declared);
      // The media id of a file is not known here: only the ledger tells which media has its bytes.
      const alike =
        filesOf(declared.content).length > 0
          ? byTexts.get(texts.join(BETWEEN))
          : byMedia.get(keyOfDeclared(declared, texts));
      const sent = bySent.size === 0 ? [] : (bySent.get(texts.map(asSent).join(BETWEEN)) ?? []);
      return [...(alike ?? []), ...sent.map(({ object }) => object)];
    },
    likeLive: (object) => byMedia.get(keyOfLive(object)) ?? [],
  };
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
