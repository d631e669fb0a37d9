// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.37;

import {Ownable} from "@openzeppelin/contracts/access/Ownable.sol";
import {TroveManager} from "./TroveManager.sol";
import {Yu} from "./Yu.sol";

/// What borrowers do with their troves.
contract BorrowerOperations is Ownable {
    uint256 public constant DEBT_GAS_COMPENSATION = 200e18;

    Yu public immutable debtToken;
    uint256 public minNetDebt;
    mapping(TroveManager => bool) public isTroveManager;
    mapping(address => mapping(address => bool)) public isApprovedDelegate;

    event DelegateApprovalSet(address indexed caller, address indexed delegate, bool isApproved);

    constructor(Yu _debtToken, uint256 _minNetDebt) Ownable(msg.sender) {
        debtToken = _debtToken;
        minNetDebt = _minNetDebt;
    }

    modifier known(TroveManager manager) {
        require(isTroveManager[manager], "BO: nonexistent TM");
        _;
    }

    function addTroveManager(TroveManager manager) external onlyOwner {
        isTroveManager[manager] = true;
    }

    function setDelegateApproval(address delegate, bool approved) external {
        isApprovedDelegate[msg.sender][delegate] = approved;
        emit DelegateApprovalSet(msg.sender, delegate, approved);
    }

    function openTrove(TroveManager manager, address account, uint256 coll, uint256 debt)
        external
        known(manager)
        returns (uint256 id)
    {
        _requireMay(account);
        require(debt >= minNetDebt, "BO: Trove's net debt must be greater than minimum");
        manager.accrue();
        _requireRatios(manager, coll, debt + DEBT_GAS_COMPENSATION);
        id = manager.openTrove(account, coll, debt + DEBT_GAS_COMPENSATION);
        manager.collateralToken().transferFrom(msg.sender, address(manager), coll);
        debtToken.mint(msg.sender, debt);
        debtToken.mint(address(manager), DEBT_GAS_COMPENSATION);
    }

    function addColl(TroveManager manager, uint256 id, uint256 amount) external known(manager) {
        manager.adjust(id, amount, 0, 0, 0, 0);
        manager.collateralToken().transferFrom(msg.sender, address(manager), amount);
    }

    function withdrawColl(TroveManager manager, uint256 id, uint256 amount) external known(manager) {
        _requireMay(manager.ownerOf(id));
        manager.adjust(id, 0, amount, 0, 0, 0);
        _requireHealthy(manager, id);
        manager.sendCollateral(msg.sender, amount);
    }

    function withdrawDebt(TroveManager manager, uint256 id, uint256 amount) external known(manager) {
        _requireMay(manager.ownerOf(id));
        manager.adjust(id, 0, 0, amount, 0, 0);
        _requireHealthy(manager, id);
        debtToken.mint(msg.sender, amount);
    }

    /// Pays principal down to the minimum first, then interest; what is beyond both stays with the payer. Open to anyone.
    function repay(TroveManager manager, uint256 id, uint256 amount) external known(manager) {
        TroveManager.Trove memory trove = manager.getCurrentTrove(id);
        uint256 floor = minNetDebt + DEBT_GAS_COMPENSATION;
        uint256 payable_ = trove.debt > floor ? trove.debt - floor : 0;
        uint256 principal = amount < payable_ ? amount : payable_;
        uint256 rest = amount - principal;
        uint256 interest = rest < trove.interest ? rest : trove.interest;
        require(principal + interest > 0, "BO: nothing to repay");
        manager.adjust(id, 0, 0, 0, principal, interest);
        debtToken.burn(msg.sender, principal + interest);
    }

    function closeTrove(TroveManager manager, uint256 id, address receiver) external known(manager) {
        _requireMay(manager.ownerOf(id));
        manager.accrue();
        TroveManager.Trove memory trove = manager.getCurrentTrove(id);
        manager.close(id);
        debtToken.burn(msg.sender, trove.debt + trove.interest - DEBT_GAS_COMPENSATION);
        debtToken.burn(address(manager), DEBT_GAS_COMPENSATION);
        manager.sendCollateral(receiver, trove.coll);
    }

    function _requireMay(address account) private view {
        require(msg.sender == account || isApprovedDelegate[account][msg.sender], "Delegate not approved");
    }

    /// A new trove is above the minimum; the system stays above the critical ratio, or the trove itself is while it is not.
    function _requireRatios(TroveManager manager, uint256 coll, uint256 debt) private view {
        uint256 price = manager.fetchPrice();
        uint256 critical = manager.CCR();
        uint256 ratio = (coll * price) / debt;
        require(ratio >= manager.MCR(), "BO: ICR below MCR");
        (uint256 allColl, uint256 allDebt, uint256 interest,) = manager.getEntireSystemBalances();
        uint256 owed = allDebt + interest;
        if (owed > 0 && (allColl * price) / owed < critical) require(ratio >= critical, "BO: ICR below CCR");
        else require(((allColl + coll) * price) / (owed + debt) >= critical, "BO: TCR would fall below CCR");
    }

    function _requireHealthy(TroveManager manager, uint256 id) private view {
        require(manager.getCurrentICR(id, manager.fetchPrice()) >= manager.MCR(), "BO: ICR below MCR");
    }
}
