import type { Functions, Name } from '../naming.ts';

export const dataPanelNames = {
  'dataPanel.open': { zh: '查看机构', en: 'Open institution' },
  'dataPanel.rename': { zh: '重命名机构', en: 'Rename institution' },
  'dataPanel.refresh': { zh: '刷新数据展示', en: 'Refresh data display' },
  'dataPanel.freezeMoney': { zh: '暂停资金操作', en: 'Freeze money' },
  'dataPanel.resolve': { zh: '恢复资金操作', en: 'Lift the money freeze' },
  'alarms.test': { zh: '发送测试告警', en: 'Send test alarm' },
  'dataPanel.copyAddress': { zh: '复制机构地址', en: 'Copy institution address' },
  'dataPanel.explore': { zh: '在区块浏览器中查看机构', en: 'View institution in a block explorer' },

  'evm.connect': { zh: '连接 EVM 钱包', en: 'Connect EVM wallet' },
  'evm.disconnect': { zh: '断开 EVM 钱包', en: 'Disconnect EVM wallet' },
  'evm.switchChain': { zh: '切换网络', en: 'Switch network' },
  'evm.stopWaiting': { zh: '停止等待钱包', en: 'Stop waiting for wallet' },
} as const satisfies Record<string, Name>;

export const dataPanelFunctions = {
  '/selfCustody/dataPanel': ['dataPanel.rename', 'dataPanel.freezeMoney', 'dataPanel.resolve', 'alarms.test'],
} as const satisfies Functions<typeof dataPanelNames>;
