import { serviceWords, type ServiceIdentity } from '../domain/service-identity.ts';
import { drawLine, span, type TextStyle } from './spans.ts';
import { visible } from '../domain/visible.ts';

/** `Service: https://api.example (from herald.yaml)`. */
export function drawService(service: ServiceIdentity, style: TextStyle): readonly string[] {
  return drawLine([span('Service: '), span(visible(serviceWords(service)), 'strong')], style);
}
