import * as z from 'zod/mini';
import type { BroadcastContent } from '../../domain/broadcast.ts';
import type { CampaignContent } from '../../domain/campaign.ts';
import type { DeclaredMessage } from '../../domain/message.ts';
import type { Declared, Observed } from '../../domain/resource.ts';
import { digestText } from '../../domain/text.ts';
import { parseJson } from '../../state/shapes.ts';
import { compare, digestDeclared, digestHidden, digestTexts, type Comparison } from './content.ts';

const askedShape = z.looseObject({
  version: z.literal(1),
  kind: z.enum(['campaign', 'broadcast']),
  name: z.string(),
  /** `digestDeclared`: with the hour of a broadcast. */
  content: z.string(),
  /** `digestTexts`, so that a rename that also moves the hour is found. */
  texts: z.string(),
  hidden: z.nullable(z.string()),
  /** A UTC instant; null for a campaign, and for what is sent at once. */
  hour: z.nullable(z.string()),
  /** Ids of the name that existed before. */
  baseline: z.array(z.string()),
  /** Ids of the versions that it replaces. */
  replaces: z.array(z.string()),
  /** `protect: true` of the file. */
  protect: z.optional(z.boolean()),
  /** The content that was sent, with digests in place of texts. Its members are trusted: Herald wrote it. */
  wanted: z.looseObject({
    audience_filters: z.array(z.looseObject({})),
    messages: z.array(z.looseObject({ attachments: z.optional(z.array(z.looseObject({}))) })),
  }),
});

/** What the row of a create keeps in `asked`: enough to recognise its object in a list. It has no text of a message. */
export type Asked = Readonly<z.infer<typeof askedShape>>;

/** For the row of a create. `declared` has the media ids that are sent (`withMediaIds`). */
export function describeAsked(
  declared: Declared,
  { baseline, replaces }: { readonly baseline: readonly string[]; readonly replaces: readonly string[] },
): Asked {
  const { kind, address, content } = declared;
  const hour = declared.kind === 'broadcast' && declared.atOnce !== true ? declared.scheduledAtUtc : null;
  return {
    version: 1,
    kind,
    name: address.name,
    content: digestDeclared(declared),
    texts: digestTexts(content),
    hidden: digestHidden(declared),
    hour,
    baseline: [...baseline],
    replaces: [...replaces],
    protect: declared.protect,
    wanted: JSON.parse(
      JSON.stringify({ ...content, messages: content.messages.map(withoutText) }),
    ) as Asked['wanted'],
  };
}

function withoutText({ attachments, text, ...message }: DeclaredMessage): object {
  return {
    ...message,
    text: text === null || text === undefined || text === '' ? text : digestText(text),
    attachments: attachments?.map(({ type, is_paid, ...media }) =>
      'id' in media ? { id: media.id, type, is_paid } : { file: media.file, type, is_paid },
    ),
  };
}

/** Reads the column `asked`; null for anything that this version did not write. */
export function parseAsked(text: string): Asked | null {
  return askedShape.safeParse(parseJson(text)).data ?? null;
}

/** Whether a live object is what a create without an answer has made. The caller compares the name and the baseline. */
export function matchCreated(asked: Asked, observed: Observed): Comparison['verdict'] {
  if (asked.kind !== observed.kind) return 'different';
  const content = asked.wanted as unknown as CampaignContent & BroadcastContent;
  const wanted =
    asked.kind === 'campaign'
      ? { kind: asked.kind, content, ignore: [] }
      : { kind: asked.kind, content, ignore: [], scheduledAtUtc: asked.hour ?? '' };
  return compare(wanted, observed).verdict;
}
