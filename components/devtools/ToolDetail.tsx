import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { ListedTool } from '../../lib/messages/host-api';
import { estimateTokens } from '../../lib/tools/budget';
import { LISTINGS, type Listing, renderTool } from '../../lib/tools/render/listing';
import { CopyButton, ScrollBox, Select } from '../controls';
import { Icon } from '../Icon';
import { formatBytes, formatNumber, type MessageKey, t } from '../text';
import { type ExposureChoice, exposureChoices } from '../tools/exposure';
import { ValueView } from '../value/ValueView';
import { approvalRule } from './approval-rule';
import { SURFACES } from './surfaces';

const LISTING_NAMES: Record<Listing, MessageKey> = {
  json: 'listingJson',
  'p-format': 'listingPFormat',
  typescript: 'listingTypescript',
};

interface ToolDetailProps {
  listed: ListedTool;
  onRun: () => void;
  onExposure: (exposure: ExposureChoice) => void;
  /** Where it was registered. */
  registered: ComponentChildren;
}

/** One tool in full: what the page declared, what a model sees of it, and what its hints mean. */
export function ToolDetail({ listed, onRun, onExposure, registered }: ToolDetailProps) {
  const { tool, compact, exposure, exposureBy, bytes } = listed;
  const [listing, setListing] = useState<Listing>('typescript');
  const seen = renderTool(listing, compact);
  return (
    <section class="split-detail" aria-label={tool.name} data-testid="tool-detail">
      <div class="bar">
        <h2 dir="auto">{tool.title ? `${tool.title} (${tool.name})` : tool.name}</h2>
        <button type="button" class="small" onClick={onRun}>
          <Icon name="run" />
          {t('run')}
        </button>
      </div>
      <p dir="auto" class="detail-text">
        {tool.description.slice(0, 5_000)}
      </p>
      <dl class="facts">
        <div>
          <dt>{t('detailOrigin')}</dt>
          <dd dir="auto">{`${tool.origin} · ${t('frame', tool.frameId)}`}</dd>
        </div>
        <div>
          <dt>{t('detailRegistered')}</dt>
          <dd class="registered">{registered}</dd>
        </div>
        <div>
          <dt>{t('detailSurface')}</dt>
          <dd>{t(SURFACES[tool.surface])}</dd>
        </div>
        <div>
          <dt>{t('detailAnnotations')}</dt>
          <dd>{annotationsLine(listed)}</dd>
        </div>
        <div>
          <dt>{t('detailApproval')}</dt>
          <dd>{t(approvalRule(tool))}</dd>
        </div>
      </dl>
      <Select
        label={t('exposureOf', tool.name)}
        value={exposureBy === 'user' ? exposure : 'auto'}
        choices={exposureChoices(exposureBy === 'user' ? undefined : exposure)}
        onChange={onExposure}
      />
      <div class="bar">
        <h3>{t('detailSeen')}</h3>
        <Select
          label={t('listing')}
          hideLabel
          value={listing}
          choices={LISTINGS.map((value) => ({ value, label: t(LISTING_NAMES[value]) }))}
          onChange={setListing}
        />
        <CopyButton text={seen} />
      </div>
      <p class="small-print">
        {LISTINGS.map(
          (one) =>
            `${t(LISTING_NAMES[one])}: ${t('tokens', formatNumber(estimateTokens(renderTool(one, compact))))}`,
        ).join(' · ')}
      </p>
      <ScrollBox class="value-text" label={t('detailSeen')} dir="ltr">
        <pre>{seen}</pre>
      </ScrollBox>
      <h3>{t('detailDeclared', formatBytes(bytes))}</h3>
      <ValueView
        text={JSON.stringify(tool.inputSchema ?? null, null, 2)}
        label={t('detailDeclared', formatBytes(bytes))}
      />
    </section>
  );
}

function annotationsLine({ tool }: ListedTool): string {
  const set = Object.entries(tool.annotations ?? {}).map(([name, value]) => `${name}: ${value}`);
  return set.length > 0 ? set.join(', ') : t('detailNoAnnotations');
}
