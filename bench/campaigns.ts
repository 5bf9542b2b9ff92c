/** A campaign of about a thousand characters, as a file declares it and as the service holds it. */
export function campaignYaml(number: number, price = PRICE): string {
  const [hello, offer] = textsOf(number);
  return `  - name: ${nameOf(number)}
    trigger: welcome_message
    action: send_message
    rules: { send_delay_interval: { min_sec: 30, range_sec: 60 }, unsend_delay_sec: 86400 }
    audience: everyone
    messages:
      - text: "${hello}"
      - text: |
          ${offer.split('\n').join('\n          ')}
        price_gross: ${price}
        delay_sec: 3600
        attachments: [{ id: "${mediaOf(number)}", type: image, is_paid: true }]
`;
}

/** What `campaignYaml` comes to on the service's side, for the simulator's seeds. */
export function campaignSeed(number: number) {
  const [hello, offer] = textsOf(number);
  return {
    name: nameOf(number),
    trigger: 'welcome_message',
    action: 'send_message',
    status: 'active',
    rules: { send_delay_interval: { min_sec: 30, range_sec: 60 }, unsend_delay_sec: 86_400 },
    messages: [
      { text: hello },
      {
        text: offer,
        price_gross: PRICE,
        delay_sec: 3600,
        attachments: [{ id: mediaOf(number), type: 'image', is_paid: true }],
      },
    ],
  };
}

const PRICE = 9.99;

function nameOf(number: number): string {
  return `Campaign ${String(number).padStart(6, '0')}`;
}

function mediaOf(number: number): string {
  return String(550_000_000 + number);
}

const HELLO =
  'I am so glad that you found your way to me. Make yourself at home, look around, and tell me what you would like to see first; I read everything that you write, even where an answer takes a day.';
const OFFER = [
  'The new set is here, and it is the one that I wanted to make all year:',
  'an evening by the sea, the light that you only get in September, and nobody',
  'around for miles. There are forty pictures and a film of nine minutes.',
  'If you like it, tell me; if you do not, tell me that as well.',
].join('\n');

function textsOf(number: number): readonly [string, string] {
  return [`Hello, this is message ${number}. ${HELLO}`, `${OFFER}\nNumber ${number}.`];
}

/** A file of the campaigns from one number on. */
export function campaignFile(
  alias: string,
  from: number,
  count: number,
  priceOf: (number: number) => number = () => PRICE,
): string {
  const numbers = Array.from({ length: count }, (_, index) => from + index);
  const campaigns = numbers.map((number) => campaignYaml(number, priceOf(number)));
  return `accounts: [${alias}]\ncampaigns:\n${campaigns.join('')}`;
}
