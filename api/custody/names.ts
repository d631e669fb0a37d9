import type { Name } from '../names.ts';

/** The commands of the data panel of custody. */
export const dataPanelNames = {
  'dataPanel.open': { zh: '查看机构', en: 'Open institution' },
  'dataPanel.rename': { zh: '命名机构', en: 'Name institution' },
  'dataPanel.refresh': { zh: '刷新数据展示', en: 'Refresh the data display' },
  'dataPanel.freezeMoney': { zh: '冻结资金', en: 'Freeze money' },
  'dataPanel.resolve': { zh: '解除资金冻结', en: 'Lift the money freeze' },
  'alarms.test': { zh: '发送测试告警', en: 'Send a test alarm' },
  'dataPanel.copyAddress': { zh: '复制机构地址', en: "Copy institution's address" },
} as const satisfies Record<string, Name>;
