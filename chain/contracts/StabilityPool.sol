// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.37;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {Ownable} from "@openzeppelin/contracts/access/Ownable.sol";
import {Yu} from "./Yu.sol";

/// Takes in YU, pays the debt of liquidated troves with it and hands out their collateral and a share of the interest.
/// Deposits shrink by one common product P; collateral gains and yield grow by common sums, each per scale and epoch.
contract StabilityPool is Ownable {
    uint256 private constant ONE = 1e18;
    uint256 public constant SCALE_FACTOR = 1e9;

    struct Snapshot {
        uint256 P;
        uint256 G;
        uint128 scale;
        uint128 epoch;
        uint256 block;
    }

    Yu public immutable debtToken;
    mapping(address => bool) public isTroveManager;
    address[] public collateralTokens;

    uint256 public P = ONE;
    uint128 public currentScale;
    uint128 public currentEpoch;
    uint256 private totalDeposits;

    /// epoch => scale => sums; collateral's by the token as well.
    mapping(uint128 => mapping(uint128 => uint256)) public epochToScaleToG;
    mapping(address => mapping(uint128 => mapping(uint128 => uint256))) public epochToScaleToSum;

    mapping(address => uint256) public deposits;
    mapping(address => Snapshot) public snapshots;
    mapping(address => mapping(address => uint256)) private sumSnapshots;
    /// Gains up to the depositor's last change, kept until they are claimed.
    mapping(address => uint256) private storedYield;
    mapping(address => mapping(address => uint256)) private storedGains;

    event Deposit(address depositor, uint256 newDeposit, uint256 amount);
    event Withdraw(address depositor, uint256 newDeposit, uint256 amount);
    event CollateralGainWithdrawn(address depositor, address collateral, uint256 gains);
    event YieldClaimed(address account, address recipient, uint256 claimed);

    constructor(Yu _debtToken) Ownable(msg.sender) {
        debtToken = _debtToken;
    }

    modifier onlyTroveManager() {
        require(isTroveManager[msg.sender], "SP: not a trove manager");
        _;
    }

    function addTroveManager(address manager, address collateral) external onlyOwner {
        isTroveManager[manager] = true;
        for (uint256 i; i < collateralTokens.length; i++) if (collateralTokens[i] == collateral) return;
        collateralTokens.push(collateral);
    }

    function getTotalDeposits() external view returns (uint256) {
        return totalDeposits;
    }

    function provideToSP(uint256 amount) external {
        require(amount > 0, "SP: Amount must be non-zero");
        _settle(msg.sender);
        debtToken.sendToPool(msg.sender, amount);
        uint256 deposit = deposits[msg.sender] + amount;
        totalDeposits += amount;
        _set(msg.sender, deposit, block.number);
        emit Deposit(msg.sender, deposit, amount);
    }

    function withdrawFromSP(uint256 amount) external {
        require(deposits[msg.sender] > 0, "SP: User must have a non-zero deposit");
        require(snapshots[msg.sender].block < block.number, "!Deposit and withdraw same block");
        _settle(msg.sender);
        uint256 deposit = deposits[msg.sender];
        uint256 taken = amount < deposit ? amount : deposit;
        totalDeposits -= taken;
        _set(msg.sender, deposit - taken, snapshots[msg.sender].block);
        if (taken > 0) debtToken.returnFromPool(msg.sender, taken);
        emit Withdraw(msg.sender, deposit - taken, taken);
    }

    function claimYield(address recipient) external returns (uint256 amount) {
        _settle(msg.sender);
        amount = storedYield[msg.sender];
        storedYield[msg.sender] = 0;
        if (amount > 0) debtToken.returnFromPool(recipient, amount);
        emit YieldClaimed(msg.sender, recipient, amount);
    }

    function claimAllCollateralGains(address recipient) external {
        require(snapshots[msg.sender].block < block.number, "!Deposit and withdraw same block");
        _settle(msg.sender);
        for (uint256 i; i < collateralTokens.length; i++) {
            address token = collateralTokens[i];
            uint256 gains = storedGains[msg.sender][token];
            if (gains == 0) continue;
            storedGains[msg.sender][token] = 0;
            IERC20(token).transfer(recipient, gains);
            emit CollateralGainWithdrawn(msg.sender, token, gains);
        }
    }

    function getCompoundedDebtDeposit(address depositor) public view returns (uint256) {
        uint256 deposit = deposits[depositor];
        Snapshot memory from = snapshots[depositor];
        if (deposit == 0 || from.epoch < currentEpoch) return 0;
        uint128 scaleDiff = currentScale - from.scale;
        if (scaleDiff > 1) return 0;
        uint256 compounded = (deposit * P) / from.P;
        if (scaleDiff == 1) compounded /= SCALE_FACTOR;
        return compounded < deposit / 1e9 ? 0 : compounded;
    }

    function getYieldGains(address depositor) public view returns (uint256) {
        Snapshot memory from = snapshots[depositor];
        uint256 fresh;
        if (deposits[depositor] > 0) {
            mapping(uint128 => uint256) storage sums = epochToScaleToG[from.epoch];
            fresh = _gain(deposits[depositor], from.P, sums[from.scale] - from.G, sums[from.scale + 1]);
        }
        return storedYield[depositor] + fresh;
    }

    function getDepositorCollateralGain(address depositor) public view returns (address[] memory tokens, uint256[] memory gains) {
        tokens = collateralTokens;
        gains = new uint256[](tokens.length);
        for (uint256 i; i < tokens.length; i++) gains[i] = _collateralGain(depositor, tokens[i]);
    }

    /// Pays `debt` of a liquidated trove with the deposits and takes `collateral` for them; the tokens have been sent here.
    function offset(address token, uint256 debt, uint256 collateral) external onlyTroveManager {
        require(debt > 0 && debt <= totalDeposits, "SP: not enough to offset");
        epochToScaleToSum[token][currentEpoch][currentScale] += (collateral * P) / totalDeposits;
        if (debt == totalDeposits) {
            currentEpoch += 1;
            currentScale = 0;
            P = ONE;
        } else {
            uint256 left = totalDeposits - debt;
            uint256 product = (P * left) / totalDeposits;
            if (product < SCALE_FACTOR) {
                product = (P * left * SCALE_FACTOR) / totalDeposits;
                currentScale += 1;
            }
            P = product;
        }
        totalDeposits -= debt;
        debtToken.burn(address(this), debt);
    }

    /// Shares YU out among the deposits; it has been minted here.
    function triggerSPYield(uint256 amount) external onlyTroveManager {
        epochToScaleToG[currentEpoch][currentScale] += (amount * P) / totalDeposits;
    }

    function _collateralGain(address depositor, address token) private view returns (uint256) {
        Snapshot memory from = snapshots[depositor];
        uint256 fresh;
        if (deposits[depositor] > 0) {
            mapping(uint128 => uint256) storage sums = epochToScaleToSum[token][from.epoch];
            fresh = _gain(deposits[depositor], from.P, sums[from.scale] - sumSnapshots[depositor][token], sums[from.scale + 1]);
        }
        return storedGains[depositor][token] + fresh;
    }

    function _gain(uint256 deposit, uint256 fromP, uint256 first, uint256 second) private pure returns (uint256) {
        return (deposit * (first + second / SCALE_FACTOR)) / fromP;
    }

    /// Writes down what the depositor has gained and what is left of the deposit.
    function _settle(address depositor) private {
        storedYield[depositor] = getYieldGains(depositor);
        for (uint256 i; i < collateralTokens.length; i++)
            storedGains[depositor][collateralTokens[i]] = _collateralGain(depositor, collateralTokens[i]);
        _set(depositor, getCompoundedDebtDeposit(depositor), snapshots[depositor].block);
    }

    function _set(address depositor, uint256 deposit, uint256 depositBlock) private {
        deposits[depositor] = deposit;
        snapshots[depositor] = Snapshot(P, epochToScaleToG[currentEpoch][currentScale], currentScale, currentEpoch, depositBlock);
        for (uint256 i; i < collateralTokens.length; i++)
            sumSnapshots[depositor][collateralTokens[i]] = epochToScaleToSum[collateralTokens[i]][currentEpoch][currentScale];
    }
}
