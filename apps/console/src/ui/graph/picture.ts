/** Exports a drawing as SVG text or as PNG. Pure except for the canvas. */
import {
  BOX_HEIGHT,
  LINE_HEIGHT,
  type Arrow,
  type Box,
  type Change,
  type Drawing,
  type Line,
} from './layout';

export interface Colours {
  background: string;
  box: string;
  line: string;
  text: string;
  dimmed: string;
  added: string;
  removed: string;
  changed: string;
}

/** Sign of a change, in addition to its colour, which not everybody can see. */
export const signOf = ({ change }: { change?: Change }): string =>
  change === undefined ? '' : { added: '+ ', removed: '− ', changed: '~ ' }[change];

const FONT = 'system-ui, sans-serif';
const HEAD = 6;
const SCALE = 2;
/** Browsers refuse larger canvases. */
const MAX_SIDE = 16_384;
const MAX_AREA = 120_000_000;

const escaped = (text: string): string => text.replaceAll(/[&<>"]/g, (one) => `&#${one.codePointAt(0)};`);

export const pathOf = ({ points }: Pick<Arrow, 'points'>): string =>
  points.map(({ x, y }, at) => `${at === 0 ? 'M' : 'L'}${x.toFixed(1)} ${y.toFixed(1)}`).join('');

const shortened = (text: string, most: number): string =>
  text.length > most ? `${text.slice(0, most - 1)}…` : text;

const titleOf = (box: Box): string => shortened(signOf(box) + box.name, 22);
const lineOf = (line: Line): string => shortened(signOf(line) + line.name, 24);

/** Colour of the change, or `usual` if there is none. */
const inColour = ({ change }: { change?: Change }, colours: Colours, usual: string): string =>
  change === undefined ? usual : colours[change];

/** Corners of the arrowhead. */
const headOf = ({ points }: Arrow): [number, number][] => {
  const end = points.at(-1) ?? { x: 0, y: 0 };
  const before = points.at(-2) ?? end;
  const angle = Math.atan2(end.y - before.y, end.x - before.x);
  const corner = (turn: number): [number, number] => [
    end.x - HEAD * Math.cos(angle + turn),
    end.y - HEAD * Math.sin(angle + turn),
  ];
  return [[end.x, end.y], corner(0.5), corner(-0.5)];
};

/** `marks`: the word of each marked box. */
type Marks = ReadonlyMap<string, { word: string }>;

const endOf = (box: Box): number => box.y + box.height - LINE_HEIGHT / 2;

export const toSvg = (
  { boxes, arrows, left, top, width, height }: Drawing,
  colours: Colours,
  marks: Marks = new Map(),
): string => {
  const { background, box: fill, line, text, dimmed } = colours;
  const lines = (box: Box): string =>
    box.lines
      .map((one, at) => {
        const y = box.y + BOX_HEIGHT + (at + 0.75) * LINE_HEIGHT;
        return `<text x="${box.x + 10}" y="${y}" font-size="12" fill="${inColour(one, colours, dimmed)}">${escaped(lineOf(one))}</text>`;
      })
      .join('');
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="${left} ${top} ${width} ${height}" font-family="${FONT}">`,
    `<rect x="${left}" y="${top}" width="100%" height="100%" fill="${background}"/>`,
    ...arrows.map((arrow) => {
      const stroke = inColour(arrow, colours, line);
      return `<path d="${pathOf(arrow)}" fill="none" stroke="${stroke}"/><polygon points="${headOf(arrow).join(' ')}" fill="${stroke}"/>`;
    }),
    ...arrows.map(({ label, labelAt }) =>
      label && labelAt
        ? `<text x="${labelAt.x}" y="${labelAt.y + 4}" font-size="12" text-anchor="middle" fill="${dimmed}" stroke="${background}" stroke-width="4" paint-order="stroke">${escaped(label)}</text>`
        : '',
    ),
    ...boxes.map(
      (box) =>
        `<rect x="${box.x}" y="${box.y}" width="${box.width}" height="${box.height}" rx="4" fill="${fill}" stroke="${inColour(box, colours, line)}"/>` +
        `<text x="${box.x + 10}" y="${box.y + 23}" font-size="13" font-weight="600" fill="${inColour(box, colours, text)}">${escaped(titleOf(box))}</text>` +
        lines(box) +
        (marks.has(box.id)
          ? `<text x="${box.x + 10}" y="${endOf(box)}" font-size="12" fill="${text}">${escaped(marks.get(box.id)?.word ?? '')}</text>`
          : ''),
    ),
    '</svg>',
  ].join('\n');
};

/** Draws on a canvas, because the content security policy blocks an image from a blob URL of the SVG. */
export const toPng = (
  { boxes, arrows, left, top, width, height }: Drawing,
  colours: Colours,
  marks: Marks = new Map(),
): Promise<Blob | null> => {
  const scale = Math.min(SCALE, MAX_SIDE / Math.max(width, height), Math.sqrt(MAX_AREA / (width * height)));
  const canvas = document.createElement('canvas');
  canvas.width = Math.ceil(width * scale);
  canvas.height = Math.ceil(height * scale);
  const pen = canvas.getContext('2d');
  if (!pen) return Promise.resolve(null);
  pen.scale(scale, scale);
  pen.fillStyle = colours.background;
  pen.fillRect(0, 0, width, height);
  pen.translate(-left, -top);
  for (const arrow of arrows) {
    pen.strokeStyle = inColour(arrow, colours, colours.line);
    pen.stroke(new Path2D(pathOf(arrow)));
    pen.fillStyle = pen.strokeStyle;
    pen.fill(new Path2D(`M${headOf(arrow).join('L')}Z`));
  }
  pen.font = `12px ${FONT}`;
  pen.textAlign = 'center';
  for (const { label, labelAt } of arrows) {
    if (!label || !labelAt) continue;
    pen.strokeStyle = colours.background;
    pen.lineWidth = 4;
    pen.strokeText(label, labelAt.x, labelAt.y + 4);
    pen.fillStyle = colours.dimmed;
    pen.fillText(label, labelAt.x, labelAt.y + 4);
  }
  pen.textAlign = 'left';
  pen.lineWidth = 1;
  for (const box of boxes) {
    pen.fillStyle = colours.box;
    pen.fillRect(box.x, box.y, box.width, box.height);
    pen.strokeStyle = inColour(box, colours, colours.line);
    pen.strokeRect(box.x, box.y, box.width, box.height);
    pen.fillStyle = inColour(box, colours, colours.text);
    pen.font = `600 13px ${FONT}`;
    pen.fillText(titleOf(box), box.x + 10, box.y + 23);
    pen.font = `12px ${FONT}`;
    for (const [at, line] of box.lines.entries()) {
      pen.fillStyle = inColour(line, colours, colours.dimmed);
      pen.fillText(lineOf(line), box.x + 10, box.y + BOX_HEIGHT + (at + 0.75) * LINE_HEIGHT);
    }
    pen.fillStyle = colours.text;
    pen.fillText(marks.get(box.id)?.word ?? '', box.x + 10, endOf(box));
  }
  return new Promise((resolve) => canvas.toBlob(resolve, 'image/png'));
};
