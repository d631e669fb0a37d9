import { useState, type ReactNode } from 'react';
import { t } from '../../lib/i18n/i18n.ts';
import { Button } from '../../lib/ui/button.tsx';
import { Dialog } from '../../lib/ui/overlay/dialog.tsx';
import { WebsiteState } from '../../lib/ui/value/shown-phase.tsx';

export const previewWidths = ['desktop', 'mobile'] as const;
export type PreviewWidth = (typeof previewWidths)[number];

const phoneQuery = matchMedia('(max-width: 639px)');

interface WebsitePreviewProps {
  row: Parameters<typeof WebsiteState>[0]['row'];
  startWidth?: PreviewWidth | undefined;
  onClose: () => void;
  /** Beside the widths. */
  choices?: ReactNode;
  links: readonly string[];
  children: (width: PreviewWidth) => ReactNode;
}

/** A page like the official website's, at desktop or phone width. Links are plain text. */
export function WebsitePreview({ row, startWidth, onClose, choices, links, children }: WebsitePreviewProps) {
  const [width, setWidth] = useState<PreviewWidth>(startWidth ?? (phoneQuery.matches ? 'mobile' : 'desktop'));
  return (
    <Dialog open onClose={onClose} size="large" title={t('schedule.preview.title')} description={<WebsiteState row={row} />}>
      <div data-preview={width} className="flex flex-col gap-3 pb-3">
        <div className="flex flex-wrap gap-x-6 gap-y-2">
          <Choices
            label={t('schedule.preview.widths')}
            all={previewWidths}
            chosen={width}
            textOf={(option) => t(`schedule.preview.${option}`)}
            onChoose={setWidth}
          />
          {choices}
        </div>
        <div className="overflow-x-auto rounded-card border border-hairline bg-canvas">
          <div className={width === 'mobile' ? 'mx-auto w-[375px]' : 'min-w-[960px]'}>
            <div className="flex min-h-80 flex-col border-x border-hairline bg-surface">
              <Bar width={width} />
              {children(width)}
            </div>
          </div>
        </div>
        <p className="flex flex-col text-meta text-2">
          {t('schedule.preview.inert')}
          {links.map((link) => (
            <span key={link} dir="ltr" className="font-mono break-all">
              {link}
            </span>
          ))}
        </p>
      </div>
    </Dialog>
  );
}

interface ChoicesProps<One extends string> {
  label: string;
  all: readonly One[];
  chosen: One;
  textOf: (option: One) => string;
  onChoose: (option: One) => void;
}

export const Choices = <One extends string>({ label, all, chosen, textOf, onChoose }: ChoicesProps<One>) => (
  <div role="group" aria-label={label} className="flex gap-2">
    {all.map((option) => (
      <Button
        key={option}
        aria-pressed={option === chosen}
        look={option === chosen ? 'primary' : 'secondary'}
        onClick={() => onChoose(option)}
      >
        {textOf(option)}
      </Button>
    ))}
  </div>
);

const Bar = ({ width }: { width: PreviewWidth }) => (
  <div aria-hidden="true" className="flex items-center gap-6 border-b border-hairline px-6 py-3">
    <span className="size-6 rounded-full bg-layer-hover" />
    {width === 'desktop' && [64, 88, 72].map((size) => <Line key={size} width={size} />)}
    <span className="ms-auto h-7 w-24 rounded-control bg-layer-hover" />
  </div>
);

export const PlaceholderPage = ({ width }: { width: PreviewWidth }) => (
  <div aria-hidden="true" className={`flex flex-1 flex-col gap-3 ${width === 'mobile' ? 'p-4' : 'p-10'}`}>
    <span className="h-8 w-1/2 rounded-control bg-layer-hover" />
    <Line width={280} />
    <Line width={220} />
  </div>
);

const Line = ({ width }: { width: number }) => <span className="h-3 max-w-full rounded-chip bg-layer-hover" style={{ width }} />;
