export const appearance = {
  field: { theme: '主题', density: '密度' },
  theme: { light: '浅色', dark: '深色', system: '跟随系统', contrast: '高对比度' },
  density: { compact: '紧凑', default: '默认', roomy: '宽松' },
};
