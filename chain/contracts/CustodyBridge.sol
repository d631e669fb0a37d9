// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.37;

import {Ownable} from "@openzeppelin/contracts/access/Ownable.sol";
import {Ybtc} from "./Ybtc.sol";

/// The way back to Bitcoin: YBTC is taken in, cools, and is burnt when its owner confirms. The notary pays out or cancels.
contract CustodyBridge is Ownable {
    enum RefundStatus { None, Requested, Confirmed, Done, Canceled }

    struct RefundRequest {
        bytes32 srcHash;
        address token;
        address from;
        uint256 amount;
        uint256 endAt;
        uint256 limit;
        string receiver;
        RefundStatus status;
    }

    Ybtc public immutable ybtc;
    uint256 public cooling;
    uint256 public nonce;
    mapping(uint256 => RefundRequest) public refundRequests;

    event RefundRequested(uint256 indexed nonce, bytes32 indexed srcHash, address indexed from, string receiver, uint256 amount, uint256 endAt);
    event RefundConfirmed(uint256 indexed nonce);
    event RefundDone(uint256 indexed nonce, bytes32 payoutHash);
    event RefundCanceled(uint256 indexed nonce);

    error NothingToRefund();
    error NotRequester(address account);
    error WrongStatus(RefundStatus status);
    error StillCooling(uint256 endAt);

    constructor(Ybtc _ybtc, uint256 _cooling) Ownable(msg.sender) {
        ybtc = _ybtc;
        cooling = _cooling;
    }

    function setCooling(uint256 seconds_) external onlyOwner {
        cooling = seconds_;
    }

    function requestRefund(bytes32 srcHash, string calldata receiver, uint256 amount) external {
        if (amount == 0 || bytes(receiver).length == 0) revert NothingToRefund();
        ybtc.transferFrom(msg.sender, address(this), amount);
        uint256 id = nonce++;
        uint256 endAt = block.timestamp + cooling;
        refundRequests[id] = RefundRequest(srcHash, address(ybtc), msg.sender, amount, endAt, amount, receiver, RefundStatus.Requested);
        emit RefundRequested(id, srcHash, msg.sender, receiver, amount, endAt);
    }

    function confirmRefund(uint256 id) external {
        RefundRequest storage request = refundRequests[id];
        if (request.status != RefundStatus.Requested) revert WrongStatus(request.status);
        if (request.from != msg.sender) revert NotRequester(msg.sender);
        if (block.timestamp < request.endAt) revert StillCooling(request.endAt);
        request.status = RefundStatus.Confirmed;
        ybtc.burn(request.amount);
        emit RefundConfirmed(id);
    }

    /// The notary has paid the bitcoin out.
    function completeRefund(uint256 id, bytes32 payoutHash) external onlyOwner {
        RefundRequest storage request = refundRequests[id];
        if (request.status != RefundStatus.Confirmed) revert WrongStatus(request.status);
        request.status = RefundStatus.Done;
        emit RefundDone(id, payoutHash);
    }

    /// The notary turns a request down; the YBTC goes back.
    function cancelRefund(uint256 id) external onlyOwner {
        RefundRequest storage request = refundRequests[id];
        if (request.status != RefundStatus.Requested) revert WrongStatus(request.status);
        request.status = RefundStatus.Canceled;
        ybtc.transfer(request.from, request.amount);
        emit RefundCanceled(id);
    }
}
