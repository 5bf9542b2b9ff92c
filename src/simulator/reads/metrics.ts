/** Writes a figure as JSON text, from a drawn number and the number of days. */
type MetricWriter = (drawn: number, days: number) => string;

const counted: MetricWriter = (drawn, days) => String(Math.floor((drawn % 40) * days));
const countedInTotal: MetricWriter = (drawn, days) => String(Math.floor((40 + (drawn % 40)) * days));
const summed: MetricWriter = (drawn, days) => (((drawn % 20_000) / 100) * days).toFixed(2);
const summedInTotal: MetricWriter = (drawn, days) => ((200 + (drawn % 20_000) / 100) * days).toFixed(2);
/** Independent of the days, and with many decimals. */
const averaged =
  (from: number): MetricWriter =>
  (drawn) =>
    String(from + (drawn % 100_000) / 997);

/** In the order of answers. Meaning and units are unknown, so the figures are arbitrary (READ-8). */
export const METRIC_WRITERS = {
  fans_count: counted,
  messages_count: counted,
  template_messages_count: counted,
  ai_generated_messages_count: counted,
  copied_messages_count: counted,
  media_messages_count: counted,
  paid_messages_count: counted,
  free_media_messages_count: counted,
  typed_messages_count: counted,
  unsent_messages_count: counted,
  posts_count: counted,
  deleted_posts_count: counted,
  sold_messages_count: counted,
  total_sold_messages_count: countedInTotal,
  sold_posts_count: counted,
  total_sold_posts_count: countedInTotal,
  chargedback_posts_count: counted,
  chargedback_messages_count: counted,
  total_chargedback_posts_count: countedInTotal,
  total_chargedback_messages_count: countedInTotal,
  internal_templates_count: counted,
  words_count_sum: counted,
  paid_messages_price_sum: summed,
  purchase_interval_avg: averaged(200),
  purchase_interval_min: averaged(0),
  purchase_interval_max: averaged(400),
  reply_time_avg: averaged(30),
  work_time: summed,
  break_time: summed,
  sold_messages_price_sum: summed,
  total_sold_messages_price_sum: summedInTotal,
  sold_posts_price_sum: summed,
  tips_amount_sum: summed,
  total_tips_amount_sum: summedInTotal,
  chargedback_tips_amount_sum: summed,
  chargedback_posts_price_sum: summed,
  chargedback_messages_price_sum: summed,
  total_chargedback_tips_amount_sum: summedInTotal,
  total_chargedback_posts_price_sum: summedInTotal,
  total_chargedback_messages_price_sum: summedInTotal,
} as const satisfies Readonly<Record<string, MetricWriter>>;
